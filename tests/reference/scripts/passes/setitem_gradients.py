"""Gradients through index assignment, of numbers, rows, masks and index lists."""

import torch

x = torch.arange(6.0).reshape(2, 3).requires_grad_()
v = torch.tensor([10.0, 20.0, 30.0], requires_grad=True)

y = x * 1
y[0] = v
(y * torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])).sum().backward()
print(y.detach(), x.grad, v.grad)

x.grad = v.grad = None
y = x.clone()
y[y > 3] = 0
y.pow(2).sum().backward()
print(x.grad)

x.grad = None
y = x.clone()
y[[0, 1], [2, 0]] = v[:2]
(y * 7).sum().backward()
print(x.grad, v.grad)

x.grad = v.grad = None
y = torch.zeros(4)
y[1:3] = v[1:]
print(y.requires_grad, y.is_leaf, y)
y.prod().backward()
print(v.grad)

z = torch.zeros(3, requires_grad=True)
try:
    z[0] = 1.0
except RuntimeError as e:
    print(type(e).__name__)
w = z * 1
w[:, None] = torch.ones(3, 1) * 5
print(w)
w[1] += 2
w[-1] = w[0].clone() * w[1].clone()
w.sum().backward()
print(z.grad)
