"""A Taylor series from repeated differentiation."""

import math
import torch


def derivatives(f, at, n):
    x = torch.tensor(at, dtype=torch.float64, requires_grad=True)
    y = f(x)
    found = [y.item()]
    for _ in range(n):
        (y,) = torch.autograd.grad(y, x, create_graph=True)
        found.append(y.item())
        if not y.requires_grad:
            break
    return found


for name, f in [
    ("sin", torch.sin),
    ("exp", torch.exp),
    ("log1p", torch.log1p),
    ("cube", lambda t: t**3),
    ("tanh", torch.tanh),
    ("recip", lambda t: 1 / (1 - t)),
    ("sqrt", lambda t: (1 + t).sqrt()),
    ("atan", torch.atan),
    ("gauss", lambda t: (-t * t).exp()),
    ("sigmoid", torch.sigmoid),
    ("erf", torch.erf),
    ("softplus", torch.nn.functional.softplus),
    ("cosh", torch.cosh),
    ("prod", lambda t: t * (t + 1) * (t - 2)),
    ("powt", lambda t: (t + 2) ** t),
]:
    d = derivatives(f, 0.0, 5)
    print(name, [round(v, 6) + 0.0 for v in d])
    c = [v / math.factorial(k) for k, v in enumerate(d)]
    p = sum(ck * 0.1**k for k, ck in enumerate(c))
    print("  ", f"{p:.8f}", f"{f(torch.tensor(0.1, dtype=torch.float64)).item():.8f}")
x = torch.tensor(2.0, requires_grad=True)
y = x**4
for k in range(5):
    (y,) = torch.autograd.grad(y, x, create_graph=True)
    print(k, y)
