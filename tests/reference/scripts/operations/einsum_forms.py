"""einsum: traces, diagonals, ellipsis, sublists, implicit output, gradients."""

import torch

a = torch.arange(6.0, dtype=torch.float64).view(2, 3).requires_grad_()
b = torch.arange(12.0, dtype=torch.float64).view(3, 4).requires_grad_()
s = torch.arange(9.0, dtype=torch.float64).view(3, 3).requires_grad_()
v = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
for spec, ops in [
    ("ij,jk->ik", (a, b)),
    ("ij,jk", (a, b)),
    ("ij->ji", (a,)),
    ("ii", (s,)),
    ("ii->i", (s,)),
    ("ij->", (a,)),
    ("i,i->", (v, v)),
    ("i,j->ij", (v, v)),
    ("ij,j", (a, v)),
    ("...j,j->...", (a, v)),
    ("i,ij,j->", (v, s, v)),
    ("ij,ij->i", (a, a)),
    (" i j , j k -> k i", (a, b)),
    ("ij,kj->ik", (a, s)),
    ("ba", (a,)),
    ("i...->...", (a,)),
    ("ij,jk,k->i", (a, s, v)),
]:
    for t in (a, b, s, v):
        t.grad = None
    y = torch.einsum(spec, *ops)
    y.pow(2).sum().backward()
    print(spec, y.detach().tolist(), [t.grad.tolist() for t in dict.fromkeys(ops)])
print(torch.einsum(a, [0, 1], b, [1, 2], [0, 2]), torch.einsum("ij,jk", [a, b]).shape)
q = torch.ones(2, 4, 5, 3)
print(
    torch.einsum("bhqd,bhkd->bhqk", q, q).shape,
    torch.einsum("bhqk,bhkd->bqhd", torch.ones(2, 4, 5, 5), q).shape,
)
for bad in [
    lambda: torch.einsum("ij,jk", a),
    lambda: torch.einsum("ij,jk->il", a, b),
    lambda: torch.einsum("ijk", a),
    lambda: torch.einsum("ij,ij", a, b),
    lambda: torch.einsum("i1", a),
    lambda: torch.einsum("ij->ijj", a),
    lambda: torch.einsum("ij,jk", a, b.float()),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__)
