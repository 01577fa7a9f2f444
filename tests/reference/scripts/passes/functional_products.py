"""vjp, jvp, vhp and hvp of torch.autograd.functional."""

import torch
from torch.autograd import functional as AF


def f(x):
    return x.exp().sum(dim=1)


x = torch.tensor([[0.0, 1.0], [2.0, -1.0]])
print(AF.vjp(f, x, torch.tensor([1.0, 10.0])))
print(AF.jvp(f, x, torch.tensor([[1.0, 0.0], [0.0, 1.0]])))


def g(x, y):
    return (x * y * y).sum()


a, b = torch.tensor([1.0, 2.0]), torch.tensor([3.0, -1.0])
print(AF.vjp(g, (a, b)))
print(AF.jvp(g, (a, b), (torch.ones(2), torch.zeros(2))))
print(AF.vhp(g, (a, b), (torch.ones(2), torch.ones(2))))
print(AF.hvp(g, (a, b), (torch.ones(2), torch.ones(2))))


def scalar(x):
    return x.pow(3).sum()


v = torch.tensor([1.0, 0.5])
print(AF.vhp(scalar, a, v))
print(AF.hvp(scalar, a, v))
for fn in (
    lambda: AF.vjp(f, x),
    lambda: AF.jvp(f, x),
    lambda: AF.hvp(f, x, x),
    lambda: AF.vjp(f, x, torch.ones(3)),
    lambda: AF.jvp(f, x, torch.ones(3)),
):
    try:
        fn()
    except RuntimeError as e:
        print(type(e).__name__)
out, prod = AF.vjp(scalar, a.requires_grad_(), create_graph=True)
print(out.requires_grad, prod.requires_grad)
out, prod = AF.jvp(scalar, a, v)
print(out.requires_grad, prod.requires_grad)
