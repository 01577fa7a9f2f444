"""torch.func.functionalize-free: grad and vjp of functions that write inside."""

import torch
from torch.func import grad, vjp, jacrev, jvp, jacfwd


def f(x):
    y = x.clone()
    y[0] = y[1] * 2
    y.add_(x)
    return y.prod()


x = torch.tensor([1.0, 2.0, 3.0])
print(grad(f)(x), x)


def g(x):
    out = torch.zeros(2, 3)
    out[0] = x
    out[1].copy_(x).mul_(x)
    return out


o, pull = vjp(g, x)
print(o, pull(torch.ones(2, 3)))
print(jacrev(g)(x).shape, jacrev(f)(x), jacfwd(g)(x)[1])
print(jvp(g, (x,), (torch.ones(3),)))
print(grad(lambda a: grad(f)(a).sum())(x).round())


def writes_arg(a):
    a.mul_(2)
    return a.sum()


y = torch.ones(3)
try:
    print(grad(writes_arg)(y), y)
except RuntimeError:
    print("RuntimeError")
