"""An in-place custom function with mark_dirty."""

import torch


class AddOneInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x_npy = x.detach()
        x_npy += 1
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        print("backward", g)
        return g


a = torch.tensor([1.0, 2.0], requires_grad=True)
b = a * 2
v = b._version
c = AddOneInPlace.apply(b)
print(c is b, b, b._version - v, b.grad_fn.name())
(b * torch.tensor([3.0, 4.0])).sum().backward()
print(a.grad)
try:
    AddOneInPlace.apply(a)
except RuntimeError as e:
    print(type(e).__name__, "leaf" in str(e))
p = torch.zeros(2)
q = AddOneInPlace.apply(p)
print(q is p, p, p.requires_grad)
d = a * 3
sq = d**2
AddOneInPlace.apply(d)
try:
    sq.sum().backward()
except RuntimeError as e:
    print("modified by an inplace operation" in str(e))
