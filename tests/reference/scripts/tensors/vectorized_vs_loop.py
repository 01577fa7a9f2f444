"""Batched work equals a loop, values and gradients."""

import torch

torch.manual_seed(0)
W = torch.randn(3, 2, requires_grad=True)
X = torch.randn(4, 3)
batched = (X @ W).tanh().sum(1)
looped = torch.stack([torch.stack([sum(X[i, k] * W[k, j] for k in range(3)).tanh() for j in range(2)]).sum() for i in range(4)])
print(torch.allclose(batched, looped, atol=1e-6))
(g1,) = torch.autograd.grad(batched.sum(), W, retain_graph=True)
(g2,) = torch.autograd.grad(looped.sum(), W)
print(torch.allclose(g1, g2, atol=1e-6), g1)
per = [torch.autograd.grad(batched[i], W, retain_graph=True)[0] if i < 3 else None for i in range(3)]
print(torch.stack(per).shape, per[0])
print(torch.bmm(X.view(4, 1, 3), W.expand(4, 3, 2)).squeeze(1).equal(X @ W) or torch.allclose(torch.bmm(X.view(4, 1, 3), W.expand(4, 3, 2)).squeeze(1), X @ W))
print(torch.outer(X[0], X[1]), torch.dot(X[0], X[1]), torch.mv(X, X[0]), torch.addmm(torch.ones(4, 2), X, W.detach(), beta=2, alpha=0.5))
