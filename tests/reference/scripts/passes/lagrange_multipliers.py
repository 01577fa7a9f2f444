"""Gradient descent-ascent on a Lagrangian."""

import torch

x = torch.tensor([1.0, 0.5], requires_grad=True)
lam = torch.tensor(0.0, requires_grad=True)
for i in range(400):
    L = (x**2).sum() + lam * (x.sum() - 1)
    gx, gl = torch.autograd.grad(L, (x, lam))
    with torch.no_grad():
        x -= 0.05 * gx
        lam += 0.05 * gl
print(x.round(decimals=3), round(lam.item(), 3))
print(x.is_leaf, x.grad, x._version)
