"""A backward that is itself a custom function, for explicit second order."""

import torch

calls = []


class Sin(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return SinBackward.apply(g, x)


class SinBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, x):
        ctx.save_for_backward(g, x)
        return g * torch.cos(x)

    @staticmethod
    def backward(ctx, gg):
        g, x = ctx.saved_tensors
        calls.append("second order")
        return gg * torch.cos(x), -gg * g * torch.sin(x)


x = torch.tensor([0.5, 1.0], dtype=torch.float64, requires_grad=True)
(g,) = torch.autograd.grad(Sin.apply(x).sum(), x, create_graph=True)
print(g.grad_fn.name())
(h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
print(torch.allclose(h, -torch.sin(x)))
print(calls)
print(torch.autograd.gradcheck(Sin.apply, x), torch.autograd.gradgradcheck(Sin.apply, x))
