"""Gradients are ordinary tensors: printing, comparing, changing and reusing them."""

import torch

x = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
(x**2).sum().backward()
g = x.grad
print(g, g.is_leaf, g.requires_grad, g.grad, g.grad_fn)
x.grad *= 0.5
print(g, x.grad is g)
x.grad = -x.grad
print(g, x.grad)
x.grad.requires_grad_()
y = (x.grad * x).sum()
y.backward()
print(x.grad, x.grad.grad)
x.grad = None
x.grad = torch.zeros(3)
held = x.grad
(x * 4).sum().backward()
print(held)
del x.grad
print(x.grad)
(x * 4).sum().backward(gradient=torch.tensor(2.0))
print(x.grad, x.grad.sum().item(), x.grad.mean().item(), (x.grad == 8).all())
z = x.detach() - 0.1 * x.grad
print(z, z.requires_grad)
