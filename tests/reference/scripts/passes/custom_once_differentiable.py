"""once_differentiable: the gradient is fine, its derivative is refused."""

import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        print("recording", torch.is_grad_enabled())
        return 3 * x**2 * g


x = torch.tensor(2.0, requires_grad=True)
Cube.apply(x).backward()
print(x.grad)
(g,) = torch.autograd.grad(Cube.apply(x), x, create_graph=True)
print(g.item(), g.requires_grad)
try:
    torch.autograd.grad(g, x)
except RuntimeError as e:
    print(type(e).__name__, "once_differentiable" in str(e))
