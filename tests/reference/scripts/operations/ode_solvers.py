"""Euler, midpoint and Runge-Kutta, with gradients through all the steps."""

import torch


def rk4(f, y, t, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


k = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
y0 = torch.tensor([1.0, 0.0], dtype=torch.float64, requires_grad=True)
M = torch.tensor([[0.0, 1.0], [-1.0, 0.0]], dtype=torch.float64)
f = lambda t, y: M @ y - k * y + torch.sin(torch.as_tensor(t, dtype=torch.float64))
y, path = y0, []
for n in range(20):
    y = rk4(f, y, n * 0.1, 0.1)
    path.append(y)
path = torch.stack(path)
print(path[::5], path.grad_fn)
path[-1].sum().backward()
print(k.grad, y0.grad)
x = torch.linspace(0, 1, 5, dtype=torch.float64, requires_grad=True)
z = x
for _ in range(10):
    z = z + 0.1 * z * (1 - z)
z.sum().backward()
print(z.detach(), x.grad)
ts = torch.arange(0.0, 1.0, 0.25)
print(
    torch.trapezoid(ts**2, ts),
    torch.cumulative_trapezoid(ts, dx=0.5),
    torch.trapz(ts),
    torch.diff(ts, n=2),
)
print(
    torch.cumulative_trapezoid(torch.ones(2, 3), dim=0),
    torch.diff(torch.tensor([1, 4, 9]), prepend=torch.tensor([0])),
    torch.diff(torch.tensor([True, False])),
)
