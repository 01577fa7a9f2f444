"""Spectral norm by power iteration with gradients through u and v, and detached."""

import torch

W = torch.tensor([[3.0, 1.0], [0.0, 2.0], [1.0, -1.0]], requires_grad=True)
u = torch.ones(3) / 3**0.5
with torch.no_grad():
    for _ in range(30):
        v = torch.nn.functional.normalize(W.t() @ u, dim=0)
        u = torch.nn.functional.normalize(W @ v, dim=0)
sigma = u @ W @ v
(g,) = torch.autograd.grad(sigma, W)
U, S, Vh = torch.linalg.svd(W.detach())
print(sigma, S[0], torch.allclose(g, torch.outer(u, v)))
(gs,) = torch.autograd.grad(torch.linalg.svdvals(W)[0], W)
print(torch.allclose(g.abs(), gs.abs(), atol=1e-4), g)
(gn,) = torch.autograd.grad((W / sigma.detach()).pow(2).sum(), W)
print(gn)
