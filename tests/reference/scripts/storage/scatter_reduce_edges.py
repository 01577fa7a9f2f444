"""Ties, empty indices and repeated indices in scatter families."""

import torch

x = torch.zeros(3, requires_grad=True)
s = torch.tensor([1.0, 1.0, 2.0], requires_grad=True)
i = torch.tensor([0, 0, 2])
for r in ("amax", "amin", "sum", "prod", "mean"):
    x.grad = s.grad = None
    o = (x + 1).scatter_reduce(0, i, s, r)
    (o * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    print(r, o.tolist(), x.grad.tolist(), s.grad.tolist())
y = torch.ones(3)
print(
    y.scatter_reduce_(0, i, torch.tensor([2.0, 3.0, 4.0]), reduce="prod", include_self=False),
    y._version,
)
print(y.scatter_(0, torch.tensor([], dtype=torch.long), torch.tensor([])), y._version)
print(
    y.scatter_(dim=0, index=torch.tensor([1]), value=7.5),
    y.scatter_(0, torch.tensor([2]), src=torch.tensor([8.0, 9.0])),
)
print(
    torch.zeros(2, 3, dtype=torch.long).scatter_(
        1, torch.tensor([[0, 1, 2], [2, 1, 0]]), torch.arange(6).view(2, 3)
    )
)
onehot = torch.zeros(3, 4).scatter_(1, torch.tensor([[0], [3], [1]]), 1)
print(onehot, onehot.argmax(1))
e = torch.zeros(3, 5)
idx = torch.tensor([[0, 1, 2, 0, 0], [2, 0, 0, 1, 2]])
print(e.scatter_(0, idx, torch.arange(1.0, 11).view(2, 5)))
print(e.scatter_add_(0, idx, torch.ones(2, 5)), e.gather(0, idx))
b = torch.zeros(2, dtype=torch.bool).scatter_(0, torch.tensor([1]), True)
print(
    b,
    torch.zeros(2, dtype=torch.float16).scatter_add_(
        0, torch.tensor([1, 1]), torch.ones(2, dtype=torch.float16)
    ),
    torch.tensor([1, 2, 3]).scatter_reduce(0, i, torch.tensor([5, 4, 3]), "mean"),
)
for bad in (
    lambda: y.scatter_reduce(0, i, s.detach(), "most"),
    lambda: y.scatter_reduce_(0, i, s.double(), "sum"),
    lambda: y.scatter_(0, i),
    lambda: y.scatter_(0, i.int(), 1.0),
    lambda: y.scatter_add_(0, i, 1.0),
    lambda: y.scatter_(0, -i, 1.0),
    lambda: torch.zeros(2, 2).scatter_(0, torch.zeros(3, 3, dtype=torch.long), 1.0),
    lambda: torch.zeros(2, 2).scatter_(0, torch.zeros(1, 3, dtype=torch.long), 1.0),
    lambda: torch.tensor(1.0).scatter_(0, torch.tensor(0), 2.0),
    lambda: s.scatter_(0, i, 0.0),
):
    try:
        print(bad())
    except Exception as ex:
        print(type(ex).__name__)
