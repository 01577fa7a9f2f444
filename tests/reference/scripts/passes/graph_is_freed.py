"""Graphs and tensors are released when the last reference goes."""

import gc
import weakref
import torch


class Tracked(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


def build():
    x = torch.ones(2, requires_grad=True)
    y = Tracked.apply(x)
    ref = weakref.ref(y.grad_fn)
    z = y.exp().sum()
    return x, z, ref


x, z, ref = build()
print(ref() is not None)
z.backward()
print(ref() is not None)
del z
gc.collect()
print(ref() is None, x.grad is not None)

t = torch.ones(1, requires_grad=True)
r = weakref.ref(t)
out = t * 2
del t
print(r() is not None)
del out
gc.collect()
print(r() is None)

# a list of losses that keeps graphs, against one of numbers
w = torch.ones(1, requires_grad=True)
kept = [((w * k) ** 2).sum() for k in range(3)]
print([k.grad_fn is not None for k in kept], sum(k.item() for k in kept))
