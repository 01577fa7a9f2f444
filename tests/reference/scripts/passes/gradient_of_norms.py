"""Norms and their gradients, at zero too."""

import torch

x = torch.tensor([3.0, -4.0], requires_grad=True)
for p in (1, 2, 3, float("inf"), 0.5, "fro"):
    x.grad = None
    n = x.norm(p) if p != "fro" else torch.norm(x, p="fro")
    n.backward()
    print(p, n, x.grad)
z = torch.zeros(2, requires_grad=True)
for p in (1, 2, float("inf")):
    z.grad = None
    z.norm(p).backward()
    print(p, z.grad)
m = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
print(torch.autograd.grad(m.norm(dim=1).sum(), m)[0])
print(torch.autograd.grad(torch.linalg.norm(m, ord="nuc"), m)[0])
print(torch.autograd.grad(torch.linalg.vector_norm(m, dim=0, keepdim=True).sum(), m)[0])
eps = torch.sqrt((z**2).sum() + 1e-12)
print(torch.autograd.grad(eps, z)[0])
(g,) = torch.autograd.grad(x.norm(), x, create_graph=True)
print(torch.autograd.grad(g.sum(), x)[0])
