"""take, put_, take_along_dim, index_select and the index_* writes."""

import torch

x = torch.arange(12.0).view(3, 4).requires_grad_()
i = torch.tensor([[0, 5], [5, -1]])
t = torch.take(x, i)
print(t, t.grad_fn, x.take(torch.tensor(3)))
t.sum().backward()
print(x.grad)
y = torch.zeros(3, 4)
print(
    y.put_(torch.tensor([1, 6]), torch.tensor([9.0, 8.0])),
    y.put_(torch.tensor([1, 1]), torch.tensor([1.0, 1.0]), accumulate=True),
)
print(y.put(torch.tensor([0]), torch.tensor([3.0])), y._version)
print(
    torch.take_along_dim(x, torch.tensor([[0], [1], [2]]), dim=1),
    torch.take_along_dim(x, torch.tensor([3, 1])),
    x.argsort(1, descending=True).take_along_dim(torch.zeros(3, 1, dtype=torch.long), 1),
)
s = x.index_select(0, torch.tensor([2, 0, 2]))
print(
    s,
    s.grad_fn,
    torch.index_select(x, dim=-1, index=torch.tensor([1])).shape,
    x.index_select(1, torch.tensor(2)).shape,
)
z = torch.zeros(3, 2)
z.index_add_(0, torch.tensor([0, 2, 0]), torch.ones(3, 2), alpha=2)
print(z)
z.index_copy_(1, torch.tensor([1]), torch.tensor([[5.0], [6.0], [7.0]]))
print(z)
z.index_fill_(0, torch.tensor([1]), -1)
print(z, z._version)
print(
    z.index_add(1, torch.tensor([0]), torch.ones(3, 1)),
    z.index_fill(1, torch.tensor([0]), torch.tensor(2.0)),
    torch.index_copy(z, 0, torch.tensor([0]), torch.zeros(1, 2)),
)
for bad in (
    lambda: torch.take(x, torch.tensor([12])),
    lambda: x.index_select(0, torch.tensor([3])),
    lambda: x.index_select(0, torch.tensor([[0]])),
    lambda: z.index_add_(0, torch.tensor([0]), torch.ones(2, 2)),
    lambda: z.index_copy_(0, torch.tensor([0]), torch.ones(1, 2).double()),
    lambda: z.put_(torch.tensor([0]), torch.tensor([1, 2])),
    lambda: torch.take(x, torch.tensor([0.0])),
):
    try:
        bad()
        print("no error")
    except Exception as e:
        print(type(e).__name__)
