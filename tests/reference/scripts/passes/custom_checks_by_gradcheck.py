"""gradcheck finds a wrong backward."""

import torch
from torch.autograd import Function, gradcheck, gradgradcheck


class Right(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return (x * w).sum() ** 2

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        s = 2 * (x * w).sum() * g
        return s * w, s * x


class Wrong(Right):
    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        s = (x * w).sum() * g
        return s * w, s * x


x = torch.tensor([0.1, 0.2, 0.3], dtype=torch.double, requires_grad=True)
w = torch.tensor([1.0, -2.0, 0.5], dtype=torch.double, requires_grad=True)
print(gradcheck(Right.apply, (x, w)))
print(gradgradcheck(Right.apply, (x, w)))
print(gradcheck(Wrong.apply, (x, w), raise_exception=False))
try:
    gradcheck(Wrong.apply, (x, w))
except RuntimeError as e:
    print(type(e).__name__, "Jacobian mismatch for output 0 with respect to input 0" in str(e))
try:
    gradcheck(Right.apply, (x.detach(), w.detach()))
except ValueError as e:
    print(type(e).__name__)
