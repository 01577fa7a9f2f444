"""Python and 0-d scalars on either side of each operator, values, nodes, gradients."""

import torch

x = torch.tensor([1.0, -2.0, 4.0], requires_grad=True)
s = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
for f in [
    lambda: x + 2,
    lambda: 2 + x,
    lambda: x - 2,
    lambda: 2 - x,
    lambda: x * 2,
    lambda: 2 * x,
    lambda: x / 2,
    lambda: 2 / x,
    lambda: x**2,
    lambda: 2**x,
    lambda: x % 3,
    lambda: x + s,
    lambda: s - x,
    lambda: s * x,
    lambda: s / x,
    lambda: x / s,
    lambda: x**s,
    lambda: s**x,
    lambda: x + True,
    lambda: -x,
    lambda: +x,
    lambda: abs(x),
    lambda: torch.rsub(x, 5),
    lambda: torch.rsub(x, 5, alpha=2),
    lambda: torch.add(x, 1, alpha=3),
    lambda: torch.sub(x, s, alpha=2),
    lambda: x.add(s, alpha=0.5),
]:
    x.grad = s.grad = None
    y = f()
    y.sum().backward()
    print(y.detach(), y.dtype, y.grad_fn.name(), x.grad, s.grad)
print(x // 2, 7 // x.detach(), round(1.5) + torch.tensor(1))
for bad in [
    lambda: x + "a",
    lambda: x + None,
    lambda: [1, 2] + x,
    lambda: x + [1, 2, 3],
    lambda: x @ 2,
    lambda: {} * x,
    lambda: x & 1,
    lambda: torch.add(1, 2),
    lambda: torch.add(1, x),
    lambda: torch.mul(x),
    lambda: torch.add(x, 1, alpha=1j),
    lambda: torch.add(torch.tensor([1]), 1, alpha=0.5),
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
import numpy as np

print(
    x.detach() + np.float32(1),
    (np.float64(2) * x.detach()),
    x.detach() * np.int64(3),
    (x.detach() + np.float64(1)).dtype,
)
print(
    torch.tensor(2.0) ** torch.tensor(3),
    float(torch.tensor(2)) / 3,
    torch.tensor(7) % 4,
    2 ** torch.tensor(3),
    complex(torch.tensor(1.0)),
    math if False else "",
)
