"""The adjoint method for an ODE against backpropagation through Euler steps."""

import torch

torch.set_default_dtype(torch.float64)
theta = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]], requires_grad=True)
y0 = torch.tensor([2.0, 0.0])
h, n = 0.01, 50


def f(y, theta):
    return torch.tanh(theta @ y)


y = y0
for _ in range(n):
    y = y + h * f(y, theta)
loss = (y**2).sum()
(direct,) = torch.autograd.grad(loss, theta)

with torch.no_grad():
    ys = [y0]
    for _ in range(n):
        ys.append(ys[-1] + h * f(ys[-1], theta))
adj = 2 * ys[-1]
total = torch.zeros_like(theta)
for y in reversed(ys[:-1]):
    y = y.detach().requires_grad_()
    with torch.enable_grad():
        out = f(y, theta)
    gy, gt = torch.autograd.grad(out, (y, theta), adj)
    total += h * gt
    adj = adj + h * gy
print(loss, direct)
print(torch.allclose(total, direct))
