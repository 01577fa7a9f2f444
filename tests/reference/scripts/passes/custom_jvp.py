"""A custom function with jvp, under forward mode."""

import torch
import torch.autograd.forward_ad as fwAD


class Fn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, foo):
        result = torch.exp(foo)
        ctx.result = result
        return result

    @staticmethod
    def jvp(ctx, gI):
        gO = gI * ctx.result
        del ctx.result
        return gO


primal = torch.tensor([0.0, 1.0], dtype=torch.double, requires_grad=True)
tangent = torch.tensor([1.0, 2.0], dtype=torch.double)
with fwAD.dual_level():
    dual_input = fwAD.make_dual(primal, tangent)
    dual_output = Fn.apply(dual_input)
    jvp = fwAD.unpack_dual(dual_output).tangent
    print(jvp)
    print(torch.allclose(jvp, torch.exp(primal) * tangent))


class NoJvp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


with fwAD.dual_level():
    d = fwAD.make_dual(primal.detach(), tangent)
    try:
        NoJvp.apply(d)
    except Exception as e:
        print(type(e).__name__)
