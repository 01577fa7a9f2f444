"""Hessian-vector products by forward over reverse."""

import torch
import torch.autograd.forward_ad as fwAD

x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
v = torch.tensor([1.0, -1.0], dtype=torch.float64)


def f(x):
    return (x**3).sum() + x.prod() ** 2


with fwAD.dual_level():
    dual = fwAD.make_dual(x, v)
    (g,) = torch.autograd.grad(f(dual), dual, create_graph=True)
    primal, hv = fwAD.unpack_dual(g)
    print(primal.detach(), hv.detach())
(g,) = torch.autograd.grad(f(x), x, create_graph=True)
(hv2,) = torch.autograd.grad(g, x, v)
print(hv2)
