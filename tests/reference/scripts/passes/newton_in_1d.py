"""Newton's method with derivatives from autograd, on several functions."""

import torch


def newton(f, x0, steps=20, tol=1e-12):
    x = torch.tensor(x0, dtype=torch.float64, requires_grad=True)
    for k in range(steps):
        y = f(x)
        if abs(y.item()) < tol:
            break
        (dy,) = torch.autograd.grad(y, x)
        x = (x - y / dy).detach().requires_grad_()
    return x.item(), k


print("%.8f %d" % newton(lambda x: x**2 - 2, 1.0))
print("%.8f %d" % newton(lambda x: torch.cos(x) - x, 1.0))
print("%.8f %d" % newton(lambda x: x.exp() - 3 * x, 0.0))
print("%.6f %d" % newton(lambda x: (x - 1) ** 2, 2.0))
print("%.8f %d" % newton(lambda x: torch.erf(x) - 0.5, 0.0))
