"""Hooks run in the first and in the second pass, and recorded results flow on."""

import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**2
log = []


def hook(g):
    log.append((g.item(), g.requires_grad))
    return g * 2


y.register_hook(hook)
z = y**2
(g,) = torch.autograd.grad(z, x, create_graph=True)
print(g, log)
(gg,) = torch.autograd.grad(g, x)
print(gg, log)

x.register_hook(lambda g: g**2)
(g,) = torch.autograd.grad(x * 5, x, create_graph=True)
print(g, g.requires_grad)
(g,) = torch.autograd.grad(x**2, x, create_graph=True)
print(g)
print(torch.autograd.grad(g, x))
