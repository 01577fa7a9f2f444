"""Straight-through estimators: round, sign, and quantization."""

import torch


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, g):
        return g


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x.abs() <= 1)


x = torch.tensor([-1.7, -0.4, 0.2, 2.6], requires_grad=True)
(Round.apply(x) * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
print(x.grad)
x.grad = None
Sign.apply(x).sum().backward()
print(x.grad)
# the detach trick
x.grad = None
q = x + (x.round() - x).detach()
print(q)
(q**2).sum().backward()
print(x.grad)
