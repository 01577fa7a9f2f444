"""Saving an intermediate result: gradients through it are lost in double backward unless returned."""

import torch


class SinhGood(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        expx = torch.exp(x)
        expnegx = torch.exp(-x)
        ctx.save_for_backward(expx, expnegx)
        return (expx - expnegx) / 2, expx, expnegx

    @staticmethod
    def backward(ctx, grad_out, g1, g2):
        expx, expnegx = ctx.saved_tensors
        grad_input = grad_out * (expx + expnegx) / 2
        grad_input += g1 * expx
        grad_input -= g2 * expnegx
        return grad_input


class SinhBad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.expx = torch.exp(x)
        ctx.expnegx = torch.exp(-x)
        return (ctx.expx - ctx.expnegx) / 2

    @staticmethod
    def backward(ctx, g):
        return g * (ctx.expx + ctx.expnegx) / 2


x = torch.tensor([0.5, -1.0], dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(lambda v: SinhGood.apply(v)[0], x))
(g,) = torch.autograd.grad(SinhGood.apply(x)[0].sum(), x, create_graph=True)
print(torch.allclose(g, x.cosh()))
(h,) = torch.autograd.grad(g.sum(), x)
print(torch.allclose(h, x.sinh()))
(g,) = torch.autograd.grad(SinhBad.apply(x).sum(), x, create_graph=True)
print(torch.allclose(g, x.cosh()), g.requires_grad)
