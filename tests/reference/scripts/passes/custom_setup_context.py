"""forward without ctx, and setup_context."""

import torch


class Mul(torch.autograd.Function):
    @staticmethod
    def forward(x, y, power):
        return (x * y) ** power

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, y, power = inputs
        ctx.save_for_backward(x, y)
        ctx.power = power
        ctx.seen = (type(inputs).__name__, len(inputs), output.shape)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        inner = ctx.power * (x * y) ** (ctx.power - 1) * g
        return inner * y, inner * x, None


a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, -1.0], requires_grad=True)
out = Mul.apply(a, b, 2)
print(out, out.grad_fn.seen)
out.sum().backward()
print(a.grad, b.grad)
print(
    torch.autograd.gradcheck(
        lambda x, y: Mul.apply(x, y, 3),
        (a.detach().double().requires_grad_(), b.detach().double().requires_grad_()),
    )
)
