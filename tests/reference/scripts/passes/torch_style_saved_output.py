"""Outputs saved by custom functions keep their place in the graph."""

import torch
from torch.autograd import Function


class SaveOutput(Function):
    @staticmethod
    def forward(ctx, x):
        a, b = x * 2, x * 3
        ctx.save_for_backward(x, b)
        return a, b

    @staticmethod
    def backward(ctx, ga, gb):
        x, b = ctx.saved_tensors
        print(b.requires_grad, b.grad_fn is ctx, b.output_nr, x.is_leaf)
        return ga * 2 + gb * 3


x = torch.ones(1, requires_grad=True)
a, b = SaveOutput.apply(x)
(a + b).backward()
print(x.grad)


class Mutates(Function):
    @staticmethod
    def forward(ctx, x):
        out = x * 2
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, g):
        (out,) = ctx.saved_tensors
        return g * out


y = Mutates.apply(x)
y.mul_(2)
try:
    y.backward()
except RuntimeError as e:
    print(type(e).__name__)
z = Mutates.apply(x)
z.detach_()
print(z.requires_grad, z.is_leaf)
with torch.no_grad():
    q = Mutates.apply(x)
print(q.grad_fn)
