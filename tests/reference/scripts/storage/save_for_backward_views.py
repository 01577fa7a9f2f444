"""Custom functions that save views, outputs and intermediate tensors."""

import torch
from torch.autograd import Function


class Rows(Function):
    @staticmethod
    def forward(ctx, x, i):
        ctx.save_for_backward(x)
        ctx.i = i
        return x[i].clone()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        out = torch.zeros_like(x)
        out[ctx.i] = g
        return out, None


class SquareInPlace(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.clone())
        ctx.mark_dirty(x)
        return x.pow_(2)

    @staticmethod
    def backward(ctx, g):
        (s,) = ctx.saved_tensors
        return 2 * s * g


class TwoOut(Function):
    @staticmethod
    def forward(ctx, x):
        a, b = x[:1], x[1:]
        return a.clone(), b * 2

    @staticmethod
    def backward(ctx, ga, gb):
        return torch.cat([ga, gb * 2])


x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
r = Rows.apply(x, 1)
r.sum().backward()
print(r, x.grad)
r = Rows.apply(x, 0)
with torch.no_grad():
    x.add_(1)
try:
    r.sum().backward()
except RuntimeError:
    print("RuntimeError")
x.grad = None
y = x * 1
z = SquareInPlace.apply(y)
print(z is y, y.grad_fn.name(), y._version)
z.sum().backward()
print(x.grad)
y = x * 1
row = y[0]
try:
    s = SquareInPlace.apply(row)
    print(y, type(y.grad_fn).__name__, type(row.grad_fn).__name__)
    x.grad = None
    y.sum().backward()
    print(x.grad)
except RuntimeError:
    print("RuntimeError")
a, b = TwoOut.apply(torch.tensor([1.0, 2.0, 3.0], requires_grad=True))
print(a, b, a.grad_fn is b.grad_fn, a.output_nr, b.output_nr)
try:
    a.mul_(2)
    print(a)
except RuntimeError:
    print("RuntimeError")


class Ident(Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 5


i = Ident.apply(x)
print(i is x, i._is_view(), i._base is x, i.requires_grad, i.data_ptr() == x.data_ptr())
try:
    i.mul_(2)
except RuntimeError:
    print("RuntimeError")
