"""Comparing autograd to finite differences of shrinking steps."""

import torch

f = lambda x: torch.sin(x) * torch.exp(-(x**2) / 2)
x = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
(exact,) = torch.autograd.grad(f(x), x)
print(f"exact {exact.item():.12f}")
for k in range(1, 5):
    h = 10.0**-k
    with torch.no_grad():
        forward = (f(x + h) - f(x)) / h
        central = (f(x + h) - f(x - h)) / (2 * h)
    print(f"{h:.0e} {(forward - exact).item():+.2e} {(central - exact).item():+.2e}")
xs = torch.linspace(-1, 1, 5, dtype=torch.float64, requires_grad=True)
(g,) = torch.autograd.grad(f(xs).sum(), xs)
print(g)
