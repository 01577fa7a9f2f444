"""einsum for bilinear forms, batched products and traces, with gradients."""

import torch

a = torch.arange(6.0).view(2, 3).requires_grad_()
b = torch.arange(12.0).view(3, 4).requires_grad_()
print(torch.einsum("ij,jk->ik", a, b), torch.einsum("ij->ji", a), torch.einsum("ij->", a), torch.einsum("ij,ij->i", a, a), torch.einsum("i,j->ij", a[0], b[0]))
out = torch.einsum("ij,jk,ik->", a, b, torch.ones(2, 4))
out.backward()
print(out, a.grad, b.grad)
q = torch.ones(2, 5, 3)
k = torch.arange(30.0).view(2, 5, 3)
print(torch.einsum("bqd,bkd->bqk", q, k).shape, torch.einsum("bij,bjk->bik", q.transpose(1, 2), k)[0], torch.einsum("...ij->...ji", k).shape, torch.einsum("ii->i", torch.eye(3)), torch.einsum("ii", torch.eye(3)))
try:
    torch.einsum("ij,jk->ik", a, a)
except RuntimeError as err:
    print(type(err).__name__)
