"""Keyword arguments, several outputs, non-tensor arguments, autograd.grad through a checkpoint."""

import torch
from torch.utils.checkpoint import checkpoint


def f(x, n, *, scale=1.0):
    y = x
    for _ in range(n):
        y = y * scale + x.sin()
    return y, (y * 2).detach(), n


x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
y, z, n = checkpoint(f, x, 3, scale=0.5, use_reentrant=False)
print(y.requires_grad, z.requires_grad, n)
(g,) = torch.autograd.grad(y.sum(), x)
(h,) = torch.autograd.grad(f(x, 3, scale=0.5)[0].sum(), x)
print(torch.equal(g, h))


# higher order through a checkpoint
def cube(v):
    return (v**3).sum()


out = checkpoint(cube, x, use_reentrant=False)
(g,) = torch.autograd.grad(out, x, create_graph=True)
(gg,) = torch.autograd.grad(g.sum(), x)
print(g.detach(), gg)

# a reentrant one cannot be used with autograd.grad
out = checkpoint(cube, x, use_reentrant=True)
try:
    torch.autograd.grad(out, x)
except RuntimeError as e:
    print(type(e).__name__)
out = checkpoint(cube, x, use_reentrant=True)
out.backward()
print(x.grad)
# twice through one
out = checkpoint(cube, x, use_reentrant=False)
x.grad = None
out.backward(retain_graph=True)
out.backward()
print(x.grad)
try:
    checkpoint(f, x, 3, scale=0.5, use_reentrant=True)
except ValueError as e:
    print(type(e).__name__)
