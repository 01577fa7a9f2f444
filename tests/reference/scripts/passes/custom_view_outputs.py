"""A custom function that returns a view of its input, then in-place changes of the result."""

import torch


class Row(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.shape = x.shape
        return x[0]

    @staticmethod
    def backward(ctx, g):
        out = torch.zeros(ctx.shape)
        out[0] = g
        return out


a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
b = a * 1
r = Row.apply(b)
print(r, r.grad_fn.name(), r._is_view())
r.sum().backward()
print(a.grad)
r = Row.apply(b)
try:
    r.mul_(2)
    print("changed in place")
except RuntimeError as e:
    print(type(e).__name__, "view" in str(e))
copy = Row.apply(b).clone()
copy.mul_(2)
print(copy)
