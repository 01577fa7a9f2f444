"""torch.autograd.functional.jacobian: shapes for one and several inputs and outputs."""

import torch
from torch.autograd.functional import jacobian


def f(x):
    return torch.stack([x.sum(), x.prod(), (x**2).sum()])


print(jacobian(f, torch.tensor([1.0, 2.0, 3.0, 4.0])))


def g(x, y):
    return 2 * x + 3 * y


print(jacobian(g, (torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))))


def h(x, y):
    return x * y, x.sum()


out = jacobian(h, (torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])))
print(len(out), [[tuple(b.shape) for b in row] for row in out])
print(out[0][1], out[1][1])
m = jacobian(lambda a: a.exp(), torch.zeros(2, 2))
print(m.shape, m[0, 1, 0, 1], m[0, 1, 1, 0])
x = torch.ones(2, requires_grad=True)
j = jacobian(lambda v: v**2, x)
print(j, j.requires_grad)
j = jacobian(lambda v: v**3, x, create_graph=True)
print(j.requires_grad)
j.sum().backward()
print(x.grad)
print(jacobian(lambda v: torch.ones(2), torch.ones(3)))
try:
    jacobian(lambda v: torch.ones(2), torch.ones(3), strict=True)
except RuntimeError as e:
    print(type(e).__name__)
print(jacobian(lambda v: v.sin(), torch.zeros(3), vectorize=True))
try:
    jacobian(lambda v: 3.0, torch.ones(3))
except TypeError as e:
    print(type(e).__name__)
