"""mark_dirty, mark_non_differentiable, set_materialize_grads."""
import torch
from torch.autograd import Function


class AddOne(Function):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x.clone()
v = y._version
z = AddOne.apply(y)
print(z is y, z, y.grad_fn, y._version - v)
z.sum().backward()
print(x.grad)
for f in (lambda: AddOne.apply(x), lambda: AddOne.apply(torch.ones(2)), lambda: AddOne.apply(x.clone()[:1])):
    try:
        r = f()
        print(r, r.requires_grad)
    except Exception as e:
        print(type(e).__name__)


class SortIdx(Function):
    @staticmethod
    def forward(ctx, x):
        v, i = x.sort()
        ctx.mark_non_differentiable(i)
        ctx.save_for_backward(i)
        return v, i

    @staticmethod
    def backward(ctx, gv, gi):
        print("gi", gi)
        (i,) = ctx.saved_tensors
        return torch.zeros_like(gv).scatter(0, i, gv)


x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
v, i = SortIdx.apply(x)
print(v, i, i.requires_grad, i.grad_fn)
(v * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
print(x.grad)


class Lazy(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 1, x * 2, x * 3

    @staticmethod
    def backward(ctx, a, b, c):
        print(a, b, c)
        return sum(g * k for g, k in ((a, 1), (b, 2), (c, 3)) if g is not None)


x = torch.ones(2, requires_grad=True)
a, b, c = Lazy.apply(x)
b.sum().backward()
print(x.grad)


class FloatMark(Function):
    @staticmethod
    def forward(ctx, x):
        out, aux = x * 2, x * 10
        ctx.mark_non_differentiable(aux)
        return out, aux

    @staticmethod
    def backward(ctx, g, gaux):
        print(gaux)
        return g * 2


o, aux = FloatMark.apply(x)
print(o.requires_grad, aux.requires_grad, aux.is_leaf)
(o + aux).sum().backward()
print(x.grad)
