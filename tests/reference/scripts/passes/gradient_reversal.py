"""A gradient reversal layer with a coefficient."""

import torch
from torch import nn


class ReverseGrad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.neg() * ctx.alpha, None


class GRL(nn.Module):
    def __init__(self, alpha):
        super().__init__()
        self.alpha = alpha

    def forward(self, x):
        return ReverseGrad.apply(x, self.alpha)


x = torch.tensor([[1.0, -2.0]], requires_grad=True)
y = GRL(0.3)(x)
print(y, y.is_leaf, y.data_ptr() == x.data_ptr())
(y * torch.tensor([1.0, 10.0])).sum().backward()
print(x.grad)


class Identity(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        print("identity backward")
        return g


z = Identity.apply(x)
print(z is x, z.grad_fn is None, z.requires_grad)
z.sum().backward()
