"""A retained tensor that is changed in place keeps the gradient of its new value."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
y.retain_grad()
y.mul_(2)
z = (y**2).sum()
z.backward()
print(y, y.grad, x.grad)
x.grad = None
y = x + 1
y.retain_grad()
v = y[0]
v.mul_(5)
y.sum().backward()
print(y.grad, x.grad)
