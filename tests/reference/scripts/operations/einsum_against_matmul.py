"""Contractions written in three ways: values, gradients, second order."""

import torch

A = torch.arange(6.0, dtype=torch.float64).view(2, 3).requires_grad_()
B = (torch.arange(12.0, dtype=torch.float64).view(3, 4) / 7).requires_grad_()
v = torch.tensor([1.0, -1.0, 2.0], dtype=torch.float64, requires_grad=True)
trios = [
    (lambda: A @ B, lambda: torch.einsum("ij,jk->ik", A, B), lambda: (A[:, :, None] * B).sum(1)),
    (lambda: A @ v, lambda: torch.einsum("ij,j->i", A, v), lambda: (A * v).sum(-1)),
    (lambda: v @ B, lambda: torch.einsum("j,jk", v, B), lambda: torch.tensordot(v, B, 1)),
    (
        lambda: A.T @ A,
        lambda: torch.einsum("ki,kj->ij", A, A),
        lambda: torch.stack([A[:, i] @ A for i in range(3)]),
    ),
    (lambda: v.dot(v), lambda: torch.einsum("i,i", v, v), lambda: v.norm() ** 2),
    (lambda: torch.outer(v, v), lambda: torch.einsum("i,j", v, v), lambda: v[:, None] * v),
    (
        lambda: (A @ B).trace() if False else (A.T @ A).trace(),
        lambda: torch.einsum("ij,ij", A, A),
        lambda: A.pow(2).sum(),
    ),
    (
        lambda: v @ A.T @ A @ v,
        lambda: torch.einsum("i,ki,kj,j->", v, A, A, v),
        lambda: (A @ v).square().sum(),
    ),
]
for trio in trios:
    for f in trio:
        y = f()
        leaves = [A, B, v]
        g = torch.autograd.grad(y.pow(2).sum(), leaves, create_graph=True, allow_unused=True)
        s = sum(t.pow(2).sum() for t in g if t is not None)
        h = torch.autograd.grad(s, leaves, allow_unused=True)
        print(
            tuple(y.shape),
            round(y.sum().item(), 6),
            [None if t is None else round(t.sum().item(), 4) for t in g],
            [None if t is None else round(t.sum().item(), 3) for t in h],
            y.grad_fn.name(),
        )
