"""Gradients with respect to intermediate results."""

import torch

x = torch.tensor([0.5, -1.5], requires_grad=True)
h = torch.tanh(x)
k = h * h
loss = k.sum()
print(torch.autograd.grad(loss, h, retain_graph=True))
print(torch.autograd.grad(loss, k, retain_graph=True))
print(torch.autograd.grad(loss, loss, retain_graph=True))
gx, gh, gk = torch.autograd.grad(loss, (x, h, k), retain_graph=True)
print(gx, gh, gk)
print(torch.allclose(gx, gh * (1 - h**2)))

h.retain_grad()
loss.backward()
print(h.grad, h.retains_grad, h.is_leaf)
print(k.retains_grad)

# an in-place change afterwards makes the old edge unreachable
a = x * 2
b = a
a += 1
out = (b * 3).sum()
print(torch.autograd.grad(out, b))
