"""Custom functions that write their input: mark_dirty, views, errors."""

import torch
from torch.autograd import Function


class Double(Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2


class Forgot(Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2


class ViewOf(Function):
    @staticmethod
    def forward(ctx, x):
        return x.view(-1)

    @staticmethod
    def backward(ctx, g):
        return g.view(2, 2)


x = torch.ones(2, 2, requires_grad=True)
a = x * 1
b = Double.apply(a)
print(b is a, a.grad_fn, a._version, a)
b.sum().backward()
print(x.grad)
try:
    Double.apply(x)
except RuntimeError as e:
    print("RuntimeError")
x.grad = None
a = x * 1
v = a[0]
try:
    Double.apply(v)
    print(a, a.grad_fn, v.grad_fn)
    a.sum().backward()
    print(x.grad)
except RuntimeError as e:
    print("RuntimeError")
a = x * 1
f = Forgot.apply(a)
print(f is a, f.grad_fn, a.grad_fn, a._version)
y = ViewOf.apply(x * 1)
print(y.grad_fn, y._is_view(), y.shape)
try:
    y.mul_(2)
    print(y.grad_fn)
except RuntimeError:
    print("RuntimeError")
d = Double.apply(torch.ones(2))
print(d.requires_grad, d.grad_fn)
with torch.no_grad():
    print(Double.apply(x).requires_grad, x)
