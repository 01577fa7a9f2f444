"""Custom functions that return inputs, leaves, the same tensor twice, or a constant."""

import torch
from torch.autograd import Function


class Both(Function):
    @staticmethod
    def forward(ctx, a, b):
        return a, a + b

    @staticmethod
    def backward(ctx, ga, gs):
        return ga + gs, gs


x = torch.ones(2, requires_grad=True)
y = torch.ones(2, requires_grad=True) * 2
a, s = Both.apply(x, y)
print(a.requires_grad, a is x, a.grad_fn is s.grad_fn)
(a * 3 + s * 5).sum().backward()
print(x.grad)


class Twice(Function):
    @staticmethod
    def forward(ctx, x):
        out = x * 2
        return out, out

    @staticmethod
    def backward(ctx, g1, g2):
        print(g1, g2)
        return g1 + g2


p, q = Twice.apply(x)
print(p is q)
p.sum().backward()


class Constant(Function):
    @staticmethod
    def forward(ctx, x):
        c = torch.tensor([7.0])
        ctx.mark_non_differentiable(c)
        return x * 2, c

    @staticmethod
    def backward(ctx, g, gc):
        print(gc)
        return g * 2


d, c = Constant.apply(x)
print(d.requires_grad, c.requires_grad, c.grad_fn)
d.sum().backward()


class NonTensor(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2, "text", 3

    @staticmethod
    def backward(ctx, g, *rest):
        print(rest)
        return g * 2


o, t, n = NonTensor.apply(x)
print(o, t, n)
o.sum().backward()


class ListOut(Function):
    @staticmethod
    def forward(ctx, x):
        return [x * 2, x * 3]

    @staticmethod
    def backward(ctx, *g):
        return g[0]


try:
    r = ListOut.apply(x)
    print(type(r).__name__, r[0].requires_grad)
except Exception as e:
    print(type(e).__name__)
