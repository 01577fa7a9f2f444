"""Bits of floats: view(dtype), signbit, frexp, nextafter, ldexp, copysign."""

import torch

x = torch.tensor([1.0, -2.5, 0.0, -0.0, float("inf")])
print(
    x.view(torch.int32),
    torch.signbit(x),
    x.view(torch.int32).view(torch.float32),
)
one = torch.tensor(1.0)
for dtype in (torch.float32, torch.float64, torch.bfloat16):
    t = torch.ones((), dtype=dtype)
    print(
        (torch.nextafter(t, t + 1) - t).item(),
        torch.nextafter(t * 0, t).item() > 0,
    )
print(
    torch.nextafter(x, x),
    torch.nextafter(torch.tensor([float("nan")]), one.view(1)),
    torch.nextafter(torch.tensor(float("inf")), torch.tensor(0.0)),
)
n = torch.tensor([1.0, 2.0])
print(n.nextafter_(torch.tensor([0.0, 3.0])).sub(torch.tensor([1.0, 2.0])), n.requires_grad)
print(
    torch.copysign(torch.tensor([1, 2]), torch.tensor([-1.0, 1.0])),
    torch.copysign(one, -0.0),
    torch.ldexp(torch.tensor([1, 2]), torch.tensor([3, 3])),
    torch.ldexp(n, 2) if False else "",
)
print(
    1 / x[2:4],
    torch.sqrt(torch.tensor(-0.0)),
    torch.abs(torch.tensor(-0.0)),
    torch.tensor(0.0) == torch.tensor(-0.0),
    torch.maximum(torch.tensor(0.0), torch.tensor(-0.0)),
    torch.sign(torch.tensor(-0.0)),
)
for bad in [
    lambda: torch.nextafter(torch.tensor([1]), torch.tensor([2])),
    lambda: torch.nextafter(one, 2.0),
    lambda: x.view(torch.float64),
    lambda: torch.signbit(torch.tensor([1j])),
    lambda: torch.nextafter(one, torch.ones((), dtype=torch.float64)),
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
g = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.nextafter(g, torch.zeros(2))
print(y.requires_grad, y.grad_fn)
try:
    y.sum().backward()
except RuntimeError as error:
    print(type(error).__name__)
