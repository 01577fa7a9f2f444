"""Custom functions that share code by inheritance, and functions made in closures."""

import torch
from torch.autograd import Function


class Unary(Function):
    @staticmethod
    def f(x):
        raise NotImplementedError

    @classmethod
    def forward(cls, ctx, x):
        ctx.save_for_backward(x)
        return cls.f(x)


class Cube(Function):
    scale = 1.0

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * g


class Doubled(Cube):
    @staticmethod
    def backward(ctx, g):
        return 2 * Cube.backward(ctx, g)


x = torch.tensor(2.0, requires_grad=True)
for F in (Cube, Doubled):
    y = F.apply(x)
    print(y.grad_fn.name(), torch.autograd.grad(y, x))


def power(n):
    class Power(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**n

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return n * x ** (n - 1) * g

    return Power.apply


p3, p4 = power(3), power(4)
(g,) = torch.autograd.grad(p3(x) + p4(x), x)
print(g)
print(p3.__self__.__name__, issubclass(Doubled, Function))
