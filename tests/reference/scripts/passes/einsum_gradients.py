"""Gradients of einsum expressions against their explicit forms."""

import torch

A = torch.arange(6.0).reshape(2, 3).requires_grad_()
B = torch.arange(12.0).reshape(3, 4).requires_grad_()
x = torch.tensor([1.0, -1.0, 2.0], requires_grad=True)
for spec, ops in [
    ("ij,jk->ik", (A, B)),
    ("ij->ji", (A,)),
    ("ij,j->i", (A, x)),
    ("i,i->", (x, x)),
    ("i,j->ij", (x, x)),
    ("ij->", (A,)),
    ("ij,ij->j", (A, A)),
    ("ij,jk,j->k", (A, B, x)),
]:
    out = torch.einsum(spec, *ops)
    gs = torch.autograd.grad(
        (out * torch.arange(1.0, out.numel() + 1).reshape(out.shape)).sum(), ops
    )
    print(spec, tuple(out.shape), [g.tolist() for g in gs])
S = torch.eye(3, requires_grad=True)
print(
    torch.autograd.grad(torch.einsum("ii->", S), S)[0],
    torch.autograd.grad(torch.einsum("ii->i", S).sum() * 2, S)[0],
)
