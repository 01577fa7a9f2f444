"""Broadcasting over four dimensions in where, lerp, addcmul, clamp, comparisons, matmul; sums back."""

import torch

a = torch.arange(6, dtype=torch.float64).view(2, 1, 3, 1).requires_grad_()
b = torch.arange(8, dtype=torch.float64).view(4, 1, 2).requires_grad_()
c = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
for f in [
    lambda: a + b,
    lambda: a * b * c,
    lambda: torch.where(a > b, a, b),
    lambda: torch.lerp(a, b, c),
    lambda: torch.addcmul(c, a, b),
    lambda: torch.addcdiv(c, a, b + 1),
    lambda: a.clamp(b - 1, b + 1),
    lambda: torch.maximum(a, b),
    lambda: (a - b).pow(2),
    lambda: torch.atan2(a + 1, b + 1),
    lambda: a.masked_fill(b > 3, 0.0),
    lambda: torch.stack(torch.broadcast_tensors(a, b)),
    lambda: a.expand(2, 4, 3, 2) / (b + 1),
    lambda: torch.hypot(a, b + c),
    lambda: (
        a.expand(2, 4, 3, 2).transpose(-1, -2) @ b.unsqueeze(-2).expand(4, 1, 1, 2).mT.sum()
        if False
        else a @ b
    ),
    lambda: torch.logaddexp(a, b),
    lambda: torch.fmax(a, b) - torch.fmin(a, b),
    lambda: torch.xlogy(a, b + 1),
    lambda: a ** (b / 4),
    lambda: torch.remainder(a, b + 1.5),
    lambda: b.sub(a, alpha=2),
    lambda: torch.ldexp(a, b / 2),
]:
    for t in (a, b, c):
        t.grad = None
    y = f()
    y.sum().backward()
    print(
        tuple(y.shape),
        y.grad_fn.name(),
        [
            None if t.grad is None else [round(v, 4) for v in t.grad.flatten().tolist()]
            for t in (a, b, c)
        ],
    )
