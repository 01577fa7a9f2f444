"""Operands of several dtypes: result, gradient dtypes, in-place casts."""

import torch

a = torch.tensor([1.5, -2.0], dtype=torch.float64, requires_grad=True)
b = torch.tensor([2.0, 4.0], dtype=torch.float32, requires_grad=True)
h = torch.tensor([0.5, 3.0], dtype=torch.float16, requires_grad=True)
i = torch.tensor([2, 3])
m = torch.tensor([True, False])
for f in [
    lambda: a * b,
    lambda: b * h,
    lambda: a + i,
    lambda: h * i,
    lambda: b / i,
    lambda: i / h,
    lambda: b**i,
    lambda: i**b,
    lambda: a.where(m, b),
    lambda: torch.maximum(a, b),
    lambda: torch.cat([a, b, h]),
    lambda: torch.stack([b, h]),
    lambda: torch.atan2(b, a),
    lambda: a @ b.double(),
    lambda: a.sum() * b,
    lambda: b.sum() * h,
    lambda: torch.where(m, h, 1.0),
    lambda: m * b,
    lambda: i + b.sum(),
    lambda: torch.addcmul(a, b, h),
    lambda: torch.lerp(b, b + 1, b),
    lambda: torch.hypot(a, b),
    lambda: torch.fmod(a, b),
    lambda: a.sub(h, alpha=2),
    lambda: torch.logaddexp(a, b),
    lambda: b.to(torch.float16) + h,
    lambda: torch.dot(b, b),
    lambda: (b > a) * h,
    lambda: torch.clamp(b, max=a),
    lambda: a.mul(b.sum().double()),
    lambda: torch.xlogy(i, b),
    lambda: torch.copysign(i, b),
]:
    for t in (a, b, h):
        t.grad = None
    try:
        y = f()
        y.sum().backward()
        print(
            y.dtype,
            y.grad_fn.name(),
            y.detach(),
            [None if t.grad is None else (t.grad, t.grad.dtype) for t in (a, b, h)],
        )
    except Exception as error:
        print(type(error).__name__)
c = torch.zeros(2)
c += a.detach()
c *= i
c.copy_(i)
print(c, c.dtype, c.add_(m), c.mul_(torch.tensor(2.0, dtype=torch.float64)).dtype)
