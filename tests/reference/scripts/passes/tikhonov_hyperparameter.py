"""Differentiating a ridge regression's solution with respect to its regularization."""

import torch

X = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.5]], dtype=torch.float64)
y = torch.tensor([1.0, 0.0, 2.0], dtype=torch.float64)
lam = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)


def fit(lam):
    return torch.linalg.solve(X.T @ X + lam * torch.eye(2, dtype=torch.float64), X.T @ y)


w = fit(lam)
val = ((torch.tensor([[2.0, 1.0]], dtype=torch.float64) @ w - 1) ** 2).sum()
(g,) = torch.autograd.grad(val, lam, create_graph=True)
(h,) = torch.autograd.grad(g, lam, retain_graph=True)
print(w.detach(), f"{val.item():.5f} {g.item():.5f} {h.item():.5f}")
eps = 1e-6
fd = (fit(lam + eps) - fit(lam - eps)) / (2 * eps)
j = torch.stack([torch.autograd.grad(w[i], lam, retain_graph=True)[0] for i in range(2)])
print(torch.allclose(fd, j, atol=1e-6))
