"""Taylor coefficients of a composite function by repeated differentiation."""

import math
import torch


def taylor(f, x0, n):
    x = torch.tensor(float(x0), dtype=torch.float64, requires_grad=True)
    d = f(x)
    coeffs = []
    for k in range(n + 1):
        coeffs.append(d.item() / math.factorial(k))
        if k < n:
            (d,) = torch.autograd.grad(d, x, create_graph=True)
    return coeffs


print([round(c, 6) for c in taylor(torch.exp, 0, 6)])
print([round(c, 6) for c in taylor(torch.sin, 0, 6)])
print([round(c, 6) for c in taylor(lambda x: 1 / (1 - x), 0, 6)])
print([round(c, 6) for c in taylor(lambda x: torch.log1p(x), 0, 6)])
print([round(c, 6) for c in taylor(lambda x: torch.sqrt(1 + x * x).tanh(), 0.5, 5)])
