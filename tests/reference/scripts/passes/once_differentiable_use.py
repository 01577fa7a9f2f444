"""once_differentiable and double backward through custom functions."""
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        print("b", g.requires_grad, x.requires_grad, torch.is_grad_enabled())
        return g * 3 * x ** 2


class CubeOnce(Cube):
    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        print("o", g.requires_grad, x.requires_grad, torch.is_grad_enabled())
        return g * 3 * x ** 2


x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
(g,) = torch.autograd.grad(Cube.apply(x), x, create_graph=True)
print(g, g.grad_fn.name())
(gg,) = torch.autograd.grad(g, x, create_graph=True)
print(gg)
print(torch.autograd.grad(gg, x))
(g,) = torch.autograd.grad(CubeOnce.apply(x), x)
print(g)
(g,) = torch.autograd.grad(CubeOnce.apply(x), x, create_graph=True)
print(g, g.requires_grad, g.grad_fn is not None)
try:
    torch.autograd.grad(g, x)
except RuntimeError as e:
    print(type(e).__name__)


class SaveIntermediate(Function):
    @staticmethod
    def forward(ctx, x):
        e = x.exp()
        ctx.save_for_backward(x, e)
        ctx.mark_non_differentiable(e)
        return x * e, e

    @staticmethod
    def backward(ctx, g, _):
        x, e = ctx.saved_tensors
        return g * (e + x * e)


y, e = SaveIntermediate.apply(x)
(g,) = torch.autograd.grad(y, x, create_graph=True)
print(y, g)
