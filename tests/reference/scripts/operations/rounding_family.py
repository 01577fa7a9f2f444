"""Rounding functions: halves, negative zeros, decimals, integers, gradients."""

import torch

x = torch.tensor([-2.5, -1.5, -0.5, -0.2, 0.0, 0.5, 1.5, 2.5, float("inf"), float("nan")])
for name in ["round", "floor", "ceil", "trunc", "fix", "frac"]:
    f = getattr(torch, name)
    print(name, f(x))
    print(name, getattr(x, name)())
    i = torch.tensor([-3, 0, 4])
    try:
        print(name, "int:", f(i))
    except RuntimeError as error:
        print(name, type(error).__name__)
print(torch.round(torch.tensor([1.2345, -2.3456, 123.456]), decimals=2))
print(torch.round(torch.tensor([1234.5, 1250.0, 1350.0]), decimals=-2))
y = torch.tensor([1.4, -2.6], requires_grad=True)
z = y.round(decimals=1)
print(z, z.grad_fn.name())
z.sum().backward()
print(y.grad)
y.grad = None
(y.frac() * torch.tensor([3.0, 5.0])).sum().backward()
print(y.grad)
w = torch.tensor([1.7, -1.7])
print(w.round_(), w.floor_() is w, w.dtype)
print(torch.floor(torch.tensor(2.7)), torch.ceil(torch.tensor([], dtype=torch.float64)))
