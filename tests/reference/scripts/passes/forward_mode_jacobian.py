"""A Jacobian column by column, against rows by reverse mode."""

import torch
import torch.autograd.forward_ad as fwAD
from torch.autograd.functional import jacobian

W = torch.tensor([[1.0, 2.0], [3.0, -1.0], [0.5, 0.0]])


def f(x):
    return torch.tanh(W @ x) * x.sum()


x = torch.tensor([0.3, -0.2])
cols = []
for i in range(2):
    with fwAD.dual_level():
        e = torch.zeros(2)
        e[i] = 1.0
        cols.append(fwAD.unpack_dual(f(fwAD.make_dual(x, e))).tangent)
J = torch.stack(cols, dim=1)
print(J)
print(torch.allclose(J, jacobian(f, x), atol=1e-6))

g = lambda x: torch.stack([x.prod(), x.max(), x.norm(), (x[0] > 0).float() * x[1]])
with fwAD.dual_level():
    out = g(fwAD.make_dual(x, torch.tensor([1.0, 2.0])))
    print(fwAD.unpack_dual(out).tangent)
