"""Gradients of views asked for by autograd.grad, before and after changes of the base."""

import torch

x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
y = x * 1
v = y[1:3]
loss = (y**2).sum()
try:
    print(torch.autograd.grad(loss, v))
except RuntimeError as e:
    print(type(e).__name__)
loss = (v**2).sum()
print(torch.autograd.grad(loss, v, retain_graph=True), torch.autograd.grad(loss, y))
y = x * 1
v = y.view(2, 2)
w = v.t()
w[0] = 0
print(v, y)
print(torch.autograd.grad((v * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum(), x))
y = x * 1
v = y[:2]
v.retain_grad()
y.retain_grad()
y.mul_(2)
(v.sum() * 3 + y.sum()).backward()
print(v.grad, y.grad, x.grad)
