"""einsum: every kind of subscript, with gradients."""
import torch

a = torch.arange(6.0).view(2, 3).requires_grad_()
b = torch.arange(12.0).view(3, 4).requires_grad_()
v = torch.tensor([1.0, -1.0, 2.0], requires_grad=True)
s = torch.arange(9.0).view(3, 3).requires_grad_()
T = torch.arange(24.0).view(2, 3, 4).requires_grad_()
for eq, ops in [
    ("ij,jk->ik", (a, b)), ("ij,jk", (a, b)), ("ij->ji", (a,)), ("ij->", (a,)), ("ij->i", (a,)),
    ("ii", (s,)), ("ii->i", (s,)), ("i,i", (v, v)), ("i,j->ij", (v, v)), ("ij,j->i", (a, v)),
    ("bij,jk->bik", (T.transpose(1, 2), b)), ("...ij->...ji", (T,)), ("...i,i->...", (a, v)),
    ("ij,ij->ij", (a, a)), ("ij,kj->ik", (a, a)), ("bij,bij->b", (T, T)), ("i,ij,jk->k", (v[:2], a, b)),
    (" i j , j k -> i k ", (a, b)), ("ijk->ikj", (T,)), ("Ab,bC->AC", (a, b)), ("ba", (a,)),
]:
    for t in (a, b, v, s, T):
        t.grad = None
    y = torch.einsum(eq, *ops)
    (y * torch.arange(1.0, y.numel() + 1).view(y.shape)).sum().backward()
    print(eq, tuple(y.shape), y.flatten()[:4].tolist())
    print([None if t.grad is None else t.grad.flatten()[:3].tolist() for t in (a, b, v, s, T)])
print(torch.einsum("ij,jk->ik", [a, b]).shape)
q, k = torch.ones(2, 3, 4), torch.ones(2, 5, 4)
print(torch.einsum("bqd,bkd->bqk", q, k).softmax(-1).shape)
for eq, ops in [("ij,jk", (a,)), ("ij->k", (a,)), ("ij,jk->ik", (a, a)), ("ijk", (a,)), ("i1", (a,))]:
    try:
        torch.einsum(eq, *ops)
    except (RuntimeError, ValueError) as e:
        print(eq, type(e).__name__)
