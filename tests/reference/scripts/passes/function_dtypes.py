"""Custom functions over dtypes, complex numbers, integers, and tensors without gradients."""
import torch
from torch.autograd import Function


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        print("g", g.dtype, g.shape)
        return 2 * g * x.conj()


for dt in (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64):
    x = torch.tensor([1.0, 2.0], dtype=dt, requires_grad=True)
    y = Square.apply(x)
    print(y)
    y.backward(torch.ones_like(y))
    print(x.grad)
i = torch.tensor([1, 2])
print(Square.apply(i), Square.apply(i).requires_grad)


class Gather(Function):
    @staticmethod
    def forward(ctx, x, index, flag):
        ctx.save_for_backward(index)
        ctx.n, ctx.flag = x.numel(), flag
        ctx.mark_non_differentiable(index)
        return x[index], index

    @staticmethod
    def backward(ctx, g, gi):
        (index,) = ctx.saved_tensors
        print(gi, ctx.needs_input_grad, ctx.flag)
        out = torch.zeros(ctx.n, dtype=g.dtype)
        return out.index_add(0, index, g), None, None


x = torch.arange(3.0, requires_grad=True)
v, idx = Gather.apply(x, torch.tensor([2, 2, 0]), True)
print(v, idx, idx.requires_grad, v.grad_fn.next_functions[1:])
v.sum().backward()
print(x.grad)


class ToDouble(Function):
    @staticmethod
    def forward(ctx, x):
        return x.double()

    @staticmethod
    def backward(ctx, g):
        return g


x.grad = None
ToDouble.apply(x).sum().backward()
print(x.grad, x.grad.dtype)


class Abs2(Function):
    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return z.real ** 2 + z.imag ** 2

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return 2 * g * z


z = torch.tensor([1 + 2j, 3j], requires_grad=True)
Abs2.apply(z).sum().backward()
print(z.grad, torch.autograd.gradcheck(Abs2.apply, torch.tensor([1 + 2j], dtype=torch.complex128, requires_grad=True)))
