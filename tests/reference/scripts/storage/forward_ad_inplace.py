"""Forward mode through in-place writes and views."""

import torch
import torch.autograd.forward_ad as fwAD

with fwAD.dual_level():
    x = fwAD.make_dual(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 0.0, -1.0]))
    y = x.clone()
    y.mul_(x)
    print(fwAD.unpack_dual(y))
    y[0] = 5
    print(fwAD.unpack_dual(y).tangent)
    y[1:].add_(x[:2])
    print(fwAD.unpack_dual(y).tangent)
    v = y.view(3, 1)
    print(fwAD.unpack_dual(v).tangent)
    v.exp_()
    print(fwAD.unpack_dual(y))
    b = torch.zeros(3)
    b[1] = x[0] * 3
    print(fwAD.unpack_dual(b))
    b.copy_(x)
    print(fwAD.unpack_dual(b).tangent)
    b.zero_()
    print(fwAD.unpack_dual(b).tangent)
    print(
        fwAD.unpack_dual(x[x > 1]).tangent,
        fwAD.unpack_dual(x[[0, 0]]).tangent,
        fwAD.unpack_dual(x.detach()).tangent,
    )
    c = torch.zeros(2, 2)
    c.diagonal().copy_(x[:2])
    print(fwAD.unpack_dual(c))
    d = (
        x.clone()
        .masked_fill_(torch.tensor([True, False, False]), 9.0)
        .index_add_(0, torch.tensor([2]), x[:1])
    )
    print(fwAD.unpack_dual(d))
    s = torch.zeros(3).scatter_(0, torch.tensor([2, 0]), x[:2])
    print(fwAD.unpack_dual(s))
    with torch.no_grad():
        n = x * 2
        n.add_(x)
        print(fwAD.unpack_dual(n))
    p, q, r = x.unbind()
    print(fwAD.unpack_dual(q).tangent, fwAD.unpack_dual(r * p))
print(fwAD.unpack_dual(y))
