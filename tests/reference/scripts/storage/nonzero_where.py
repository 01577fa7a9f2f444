"""nonzero and where in all forms."""

import torch

x = torch.tensor([[0.0, 1.5, 0.0], [2.0, 0.0, -3.0]])
print(
    x.nonzero(),
    torch.nonzero(x).dtype,
    torch.nonzero(x, as_tuple=True),
    x.nonzero().shape,
    torch.argwhere(x),
    x.argwhere().shape,
)
print(
    torch.nonzero(torch.tensor(5)),
    torch.nonzero(torch.tensor(0)),
    torch.nonzero(torch.tensor(5), as_tuple=True),
    torch.nonzero(torch.zeros(0, 2)).shape,
    torch.nonzero(torch.zeros(3)).shape,
)
print(
    torch.count_nonzero(x),
    torch.count_nonzero(x, dim=0),
    x.count_nonzero(1),
    x.count_nonzero((0, 1)),
)
print(x[x.nonzero(as_tuple=True)], torch.where(x))
print(
    torch.where(x > 0, x, -x),
    torch.where(x > 0, 1, 0),
    torch.where(x > 0, 1.0, 0.0).dtype,
    torch.where(x > 0, x, 0),
    torch.where(x > 0, 1, x.double()).dtype,
    x.where(x > 0, torch.tensor(9.0)),
    x.where(x > 1, 5),
)
a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
b = torch.tensor([[10.0], [20.0]], requires_grad=True)
c = torch.where(torch.tensor([True, False, True]), a, b)
print(c, c.grad_fn)
(c * torch.arange(6.0).view(2, 3)).sum().backward()
print(a.grad, b.grad)
z = torch.tensor([0.0, 1.0], requires_grad=True)
torch.where(z > 0, z.sqrt(), z * 0).sum().backward()
print(z.grad)
print(
    torch.where(torch.tensor(True), torch.tensor([1, 2]), torch.tensor([1.5])),
    torch.where(
        torch.tensor([True]),
        torch.tensor([1], dtype=torch.int8),
        torch.tensor([2], dtype=torch.uint8),
    ).dtype,
)
print(torch.where(condition=x > 0, input=x, other=torch.zeros(1)))
for bad in (
    lambda: torch.where(torch.tensor([1, 0]), 1, 2),
    lambda: torch.where(torch.tensor([1.0]), x, x),
    lambda: torch.where(x > 0, torch.ones(2), x),
    lambda: torch.where(True, x, x),
    lambda: torch.where(x > 0, x),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
