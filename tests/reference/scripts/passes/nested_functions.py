"""Custom functions that call backward passes and other functions within themselves."""
import torch
from torch.autograd import Function


class Checkpointed(Function):
    @staticmethod
    def forward(ctx, run, *args):
        ctx.run = run
        ctx.save_for_backward(*args)
        with torch.no_grad():
            return run(*args)

    @staticmethod
    def backward(ctx, g):
        args = [a.detach().requires_grad_(a.requires_grad) for a in ctx.saved_tensors]
        with torch.enable_grad():
            out = ctx.run(*args)
        torch.autograd.backward(out, g)
        return None, *[a.grad for a in args]


def block(x, w):
    return torch.tanh(x @ w).sum(1)


x = torch.linspace(-1, 1, 6).reshape(2, 3).requires_grad_()
w = torch.linspace(0, 1, 6).reshape(3, 2).requires_grad_()
out = Checkpointed.apply(block, x, w)
print(out)
out.sum().backward()
print(x.grad, w.grad)
g1, g2 = x.grad, w.grad
x.grad = w.grad = None
block(x, w).sum().backward()
print(torch.allclose(g1, x.grad), torch.allclose(g2, w.grad))


class Newton(Function):
    """Root of f(z, a) = 0 by Newton's method, differentiated implicitly."""

    @staticmethod
    def forward(ctx, a):
        z = torch.ones_like(a)
        for _ in range(30):
            with torch.enable_grad():
                zz = z.detach().requires_grad_()
                f = zz ** 3 + zz - a
                (df,) = torch.autograd.grad(f.sum(), zz)
            z = z - f.detach() / df
        ctx.save_for_backward(z)
        return z

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return g / (3 * z ** 2 + 1)


a = torch.tensor([2.0, 10.0], dtype=torch.float64, requires_grad=True)
z = Newton.apply(a)
print(z, z.grad_fn)
z.sum().backward()
print(a.grad)
print(torch.autograd.gradcheck(Newton.apply, a.detach().requires_grad_()))
