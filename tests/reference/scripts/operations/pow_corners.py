"""Powers at the corners: zero bases, zero exponents, negative bases, ints."""

import torch

base = torch.tensor([0.0, 0.0, 0.0, -2.0, -2.0, 2.0], dtype=torch.float64, requires_grad=True)
exponent = torch.tensor([0.0, 2.0, 1.0, 2.0, 3.0, -1.0], dtype=torch.float64, requires_grad=True)
out = base.pow(exponent)
print(out)
out.sum().backward()
print(base.grad)
print(exponent.grad)
for p in [0, 0.5, 1, 2, -1, 3.0]:
    x = torch.tensor([0.0, 4.0], requires_grad=True)
    y = x**p
    y.sum().backward()
    print(p, y.detach(), x.grad, y.grad_fn.name())
e = torch.tensor([0.0, 1.0, -1.0], requires_grad=True)
(0.0**e).sum().backward()
print(e.grad)
e.grad = None
y = 3**e
y.sum().backward()
print(y, e.grad)
i = torch.tensor([2, 3, -1])
print(i**2, i**0, 2 ** torch.tensor([0, 1, 5]), (i**2.0).dtype)
for bad in [lambda: i**-1, lambda: torch.pow(2, 3), lambda: torch.pow(i, torch.tensor([-1, 1, 1]))]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
print(torch.float_power(i, 2), torch.float_power(2, i), torch.float_power(i, torch.tensor(0.5)))
b = torch.tensor([True, False])
print((b**2).dtype, torch.pow(torch.tensor(2.0), torch.tensor([1, 2])))
