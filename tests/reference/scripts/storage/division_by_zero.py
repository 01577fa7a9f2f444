"""Infinities and NaN: no warnings, IEEE results, and what gradients become."""
import torch

x = torch.tensor([-1.0, 0.0, 1.0])
print(x / 0, 1 / x, x / x, x.log(), x.sqrt(), x.rsqrt(), x.reciprocal(), 0 / x)
print(torch.tensor([1, 0, -1]) / 0, x // 0, x % 0, torch.exp(torch.tensor(1000.0)), torch.exp(torch.tensor(-1000.0)))
print(torch.tensor(float("inf")) * 0, torch.tensor(float("inf")) - torch.tensor(float("inf")), torch.tensor(1e38) * 10)
print(torch.isinf(1 / x), torch.isnan(x / x), torch.isfinite(1 / x), (x / x) == (x / x))
for f in [lambda t: 1 / t, lambda t: t.log(), lambda t: t.sqrt(), lambda t: t.abs(), lambda t: t / t, lambda t: t**0.5, lambda t: t.norm(), lambda t: t.pow(-1)]:
    t = torch.tensor([0.0, 4.0], requires_grad=True)
    y = f(t)
    y.sum().backward()
    print(y, t.grad)
try:
    torch.tensor([1, 2]) // 0
except (ZeroDivisionError, RuntimeError) as e:
    print(type(e).__name__)
try:
    torch.tensor([1, 2]) % 0
except (ZeroDivisionError, RuntimeError) as e:
    print(type(e).__name__)
print(torch.tensor(1e-45), torch.tensor(1e308, dtype=torch.float64) * 10, torch.tensor([0.0]) / torch.tensor([-0.0]))
print(torch.tensor([1e20]).float().half(), torch.tensor([70000.0]).half())
