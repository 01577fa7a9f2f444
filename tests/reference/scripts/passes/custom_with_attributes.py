"""Attributes on ctx, extra Python state, and arguments of every kind."""

import torch


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor, names, options):
        ctx.factor = factor
        ctx.names = names
        ctx.intermediate = x * factor
        ctx.flag = options["flag"]
        return ctx.intermediate + 1

    @staticmethod
    def backward(ctx, g):
        print(ctx.factor, ctx.names, ctx.flag, ctx.intermediate, ctx.needs_input_grad)
        return g * ctx.factor, None, None, None


x = torch.tensor([1.0, -1.0], requires_grad=True)
y = Scaled.apply(x, 2.5, ["a", "b"], {"flag": True})
print(y.grad_fn.factor, y.grad_fn.names)
y.sum().backward()
print(x.grad)
y.grad_fn.note = "kept"
print(y.grad_fn.note)
print(
    isinstance(y.grad_fn, torch.autograd.function.BackwardCFunction)
    if hasattr(torch.autograd.function, "BackwardCFunction")
    else True
)
