"""Gradients after writing into a view, step by step."""

import torch

x = torch.tensor([1.0, 2.0, 3.0, 4.0], dtype=torch.float64, requires_grad=True)
s = torch.tensor(5.0, dtype=torch.float64, requires_grad=True)
y = x * 2
y[1:3].mul_(s)
print(y, y.grad_fn)
y[0] = s**2
print(y)
z = y.view(2, 2)
z[:, 1] += x[:2]
print(z, y)
out = (y * torch.arange(1.0, 5.0, dtype=torch.float64)).sum()
gx, gs = torch.autograd.grad(out, (x, s), retain_graph=True)
print(gx, gs)
gx2, gs2 = torch.autograd.grad(out, (x, s), create_graph=True)
print(gx2, gs2)
print(torch.autograd.grad(gs2, (x, s)))
