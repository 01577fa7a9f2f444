"""Swapping data, sharing gradients, detaching gradients."""

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
(w**2).sum().backward()
g = w.grad
w.data = w.data - 0.1 * g
print(w, w.grad is g)
w.grad.data.zero_()
print(g)
(w * 3).sum().backward()
print(g, w.grad.detach() is g)
w.grad = w.grad.clone() * 2
print(w.grad, g)
w.grad = torch.zeros_like(w)
(w * 5).sum().backward()
print(w.grad)
v = torch.zeros(2, requires_grad=True)
v.grad = w.grad
(w.detach() * v).sum().backward()
print(v.grad, w.grad, v.grad is w.grad)
a = w.data
a.requires_grad_()
print(a.is_leaf, a.requires_grad, a.data_ptr() == w.data_ptr())
(a * 2).sum().backward()
print(a.grad, w.grad)
