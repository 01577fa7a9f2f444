"""A custom autograd function that saves its result."""

import torch
from torch.autograd import Function


class Exp(Function):
    @staticmethod
    def forward(ctx, i):
        result = i.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        (result,) = ctx.saved_tensors
        return grad_output * result


x = torch.tensor([0.0, 1.0, -1.0], requires_grad=True)
y = Exp.apply(x)
print(y)
print(y.grad_fn.name(), type(y.grad_fn).__name__)
y.sum().backward()
print(x.grad)
print(Exp.apply(torch.zeros(2)))
(g,) = torch.autograd.grad(Exp.apply(x).sum(), x, create_graph=True)
(h,) = torch.autograd.grad(g.sum(), x)
print(torch.allclose(h, x.exp()))
