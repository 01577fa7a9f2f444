"""Forward mode: dual numbers and Jacobian-vector products."""

import torch
import torch.autograd.forward_ad as fwAD

primal = torch.tensor([1.0, 2.0, 3.0])
tangent = torch.tensor([1.0, 0.0, -1.0])


def fn(x, y):
    return x**2 + y**2


with fwAD.dual_level():
    dual = fwAD.make_dual(primal, tangent)
    assert fwAD.unpack_dual(dual).tangent is tangent
    plain = torch.tensor([2.0, 2.0, 2.0])
    out = fn(dual, plain)
    print(fwAD.unpack_dual(out).primal)
    print(fwAD.unpack_dual(out).tangent)
    p, t = fwAD.unpack_dual(torch.sin(dual).sum())
    print(p, t)
    print(fwAD.unpack_dual(plain).tangent)
assert fwAD.unpack_dual(dual).tangent is None
print("outside", fwAD.unpack_dual(out).tangent)
try:
    fwAD.make_dual(primal, tangent)
except RuntimeError as e:
    print(type(e).__name__)
