"""The product and its derivatives with no zero, one and two."""

import torch

for values in [[2.0, 3.0, 4.0], [2.0, 0.0, 4.0], [0.0, 3.0, 0.0], [5.0], []]:
    x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
    p = x.prod()
    (g,) = torch.autograd.grad(p, x, create_graph=True)
    print(p, g)
    if values:
        h = torch.autograd.grad(g.sum(), x, allow_unused=True)[0]
        print(h)
m = torch.tensor([[1.0, 2.0], [0.0, 4.0]], requires_grad=True)
print(m.prod(0), m.prod(dim=1, keepdim=True), torch.prod(m, 1, dtype=torch.float64))
m.prod(1).sum().backward()
print(m.grad)
i = torch.tensor([2, 3], dtype=torch.int16)
print(
    i.prod(),
    i.prod().dtype,
    torch.prod(torch.tensor([True, False])),
    torch.prod(i, dtype=torch.float32),
)
print(torch.prod(torch.tensor(3.0)), torch.empty(2, 0).prod(1), torch.empty(0, 2).prod(1))
try:
    m.prod((0, 1))
except TypeError as error:
    print(type(error).__name__)
try:
    m.prod(2)
except IndexError as error:
    print(type(error).__name__)
print(m.prod(0).grad_fn.name(), m.prod().grad_fn.name(), torch.hessian if False else "done")
