"""Tangents under in-place operations and views."""

import torch
import torch.autograd.forward_ad as fwAD

x = torch.tensor([1.0, 2.0, 3.0])
t = torch.tensor([1.0, 10.0, 100.0])
with fwAD.dual_level():
    d = fwAD.make_dual(x, t)
    y = d * 2
    y.mul_(d)
    print(fwAD.unpack_dual(y).tangent)
    y += 5
    print(fwAD.unpack_dual(y))
    z = y.view(3, 1).expand(3, 2).sum(1)
    print(fwAD.unpack_dual(z).tangent)
    print(fwAD.unpack_dual(d[1:]).tangent, fwAD.unpack_dual(d.flip(0)).tangent)
    print(fwAD.unpack_dual(d.detach()).tangent)
    with torch.no_grad():
        print(fwAD.unpack_dual(d * 3).tangent)
    print(fwAD.unpack_dual(torch.cat([d, d * 2])).tangent)
    print(fwAD.unpack_dual(d > 1).tangent)
