"""Saving in odd ways, using saved tensors twice, after freeing, and in-place changes of them."""

import torch
from torch.autograd import Function


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x, None, x * 2)
        return x**2

    @staticmethod
    def backward(ctx, g):
        x, nothing, double = ctx.saved_tensors
        print(len(ctx.saved_tensors), nothing, ctx.saved_tensors[0] is x)
        return g * double


x = torch.tensor([3.0], requires_grad=True)
y = Square.apply(x)
y.sum().backward(retain_graph=True)
y.sum().backward()
print(x.grad)
try:
    y.sum().backward()
except RuntimeError as e:
    print(type(e).__name__, "second time" in str(e))
try:
    y.grad_fn.saved_tensors
except RuntimeError as e:
    print(type(e).__name__)

z = x * 1
y = Square.apply(z)
z.add_(1)
try:
    y.sum().backward()
except RuntimeError as e:
    print("modified by an inplace operation" in str(e))
try:
    Square()
    print("instance")
except Exception as e:
    print(type(e).__name__)
try:
    Square()(x)
except Exception as e:
    print(type(e).__name__)
print(Square.apply(x.detach()).requires_grad)


class NoStatic(Function):
    def forward(self, x):
        return x


try:
    NoStatic()(x)
except Exception as e:
    print(type(e).__name__)
