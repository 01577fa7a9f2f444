"""Second order through matrix products, inverses and determinants."""

import torch

A = torch.tensor([[2.0, 1.0], [0.5, 3.0]], dtype=torch.float64, requires_grad=True)
B = torch.tensor([[1.0, -1.0], [2.0, 0.5]], dtype=torch.float64, requires_grad=True)

out = (A @ B @ A).sum()
ga, gb = torch.autograd.grad(out, (A, B), create_graph=True)
print(ga.detach(), gb.detach())
(gab,) = torch.autograd.grad(ga.pow(2).sum(), B)
print(gab)

(g,) = torch.autograd.grad(torch.logdet(A), A, create_graph=True)
print(torch.allclose(g, torch.inverse(A).T))
(gg,) = torch.autograd.grad(g.sum(), A)
print(gg)
(g,) = torch.autograd.grad(torch.linalg.inv(A).diagonal().sum(), A, create_graph=True)
(gg,) = torch.autograd.grad((g * B.detach()).sum(), A)
print(gg)
