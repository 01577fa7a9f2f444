"""The polynomial of the tutorial, with autograd instead of hand-written gradients."""

import math

import torch

x = torch.linspace(-math.pi, math.pi, 200, dtype=torch.float64)
y = torch.sin(x)
a, b, c, d = (torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (0.1, 0.2, -0.1, 0.05))
for t in range(200):
    y_pred = a + b * x + c * x**2 + d * x**3
    loss = (y_pred - y).pow(2).sum()
    loss.backward()
    with torch.no_grad():
        for p in (a, b, c, d):
            p -= 1e-5 * p.grad
            p.grad = None
    if t % 50 == 49:
        print(t, f"{loss.item():.8f}")  # sums of many numbers differ in the last digits
print(f"Result: y = {a.item():.4f} + {b.item():.4f} x + {c.item():.4f} x^2 + {d.item():.4f} x^3")
