"""Backward inside backward: in a hook and in a custom function."""

import torch

x = torch.tensor([2.0], requires_grad=True)
inner = torch.tensor([3.0], requires_grad=True)


def hook(g):
    print("recording in a hook:", torch.is_grad_enabled())
    with torch.enable_grad():
        (inner * 2).sum().backward()
    return g


y = x * x
y.register_hook(hook)
y.sum().backward()
print(x.grad, inner.grad)


class Reenter(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            ctx.x = x.detach().requires_grad_()
            ctx.y = ctx.x * ctx.x * 3
        return ctx.y.detach()

    @staticmethod
    def backward(ctx, g):
        with torch.enable_grad():
            ctx.y.backward(g)
        return ctx.x.grad


x.grad = None
out = Reenter.apply(x)
out.sum().backward()
print(x.grad)


def deep(n, v):
    if n == 0:
        return v * 1

    class Deep(torch.autograd.Function):
        @staticmethod
        def forward(ctx, v):
            ctx.v = v.detach().requires_grad_()
            return v * 2

        @staticmethod
        def backward(ctx, g):
            with torch.enable_grad():
                deep(n - 1, ctx.v).sum().backward()
            return g * 2 + ctx.v.grad

    return Deep.apply(v)


x.grad = None
deep(5, x).sum().backward()
print(x.grad)
