"""forward and setup_context apart, with func transforms."""
import torch
from torch.autograd import Function


class Exp(Function):
    @staticmethod
    def forward(x, k):
        print("forward", torch.is_grad_enabled())
        return torch.exp(x * k)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, k = inputs
        print("setup", len(inputs), type(output).__name__, ctx.needs_input_grad)
        ctx.k = k
        ctx.save_for_backward(output)
        ctx.save_for_forward(output)

    @staticmethod
    def backward(ctx, g):
        (out,) = ctx.saved_tensors
        return g * out * ctx.k, None

    @staticmethod
    def jvp(ctx, t, _):
        (out,) = ctx.saved_tensors
        print("jvp", _)
        return t * out * ctx.k


x = torch.tensor([0.0, 1.0], requires_grad=True)
y = Exp.apply(x, 2.0)
y.sum().backward(create_graph=False)
print(y, x.grad)
(g,) = torch.autograd.grad(Exp.apply(x, 2.0).sum(), x, create_graph=True)
print(torch.autograd.grad(g.sum(), x))
import torch.autograd.forward_ad as fwAD
with fwAD.dual_level():
    d = fwAD.make_dual(x.detach(), torch.ones(2))
    print(fwAD.unpack_dual(Exp.apply(d, 3.0)))


class Bad(Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass


try:
    Bad.apply(x)
except Exception as e:
    print(type(e).__name__)


class OldStyle(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


try:
    torch.func.grad(lambda x: OldStyle.apply(x).sum())(x.detach())
except Exception as e:
    print(type(e).__name__)
