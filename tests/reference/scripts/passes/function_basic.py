"""Custom functions: saving, needs_input_grad, several outputs, non-tensor arguments."""
import torch
from torch.autograd import Function


class Scale(Function):
    @staticmethod
    def forward(ctx, x, factor, name="s", *, verbose=False):
        ctx.save_for_backward(x)
        ctx.factor = factor
        print("forward", ctx.needs_input_grad, torch.is_grad_enabled(), x.requires_grad, type(ctx).__name__)
        return x * factor

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        print("backward", ctx.needs_input_grad, x, g, torch.is_grad_enabled())
        return g * ctx.factor, None, None


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Scale.apply(x, 3.0, "name")
print(y, y.grad_fn, type(y.grad_fn).__name__, y.grad_fn.name(), y.is_leaf)
print(y.grad_fn.next_functions, y.grad_fn.saved_tensors, y.grad_fn.factor)
y.sum().backward()
print(x.grad)
try:
    y.grad_fn.saved_tensors
except RuntimeError as e:
    print(type(e).__name__)
z = Scale.apply(x.detach(), 2.0, "n")
print(z.requires_grad, z.grad_fn)
with torch.no_grad():
    print(Scale.apply(x, 2.0, "n").requires_grad)
for args in ((), (x,), (x, 1.0, "n", 4)):
    try:
        print(Scale.apply(*args))
    except Exception as e:
        print(type(e).__name__)
try:
    Scale()
    print("made")
except Exception as e:
    print(type(e).__name__)
try:
    print(Scale.apply(x, 1.0, name="n"))
except Exception as e:
    print(type(e).__name__)
print(Scale.__name__, issubclass(Scale, Function), Scale.apply.__name__)


class Two(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b, a + b

    @staticmethod
    def backward(ctx, gm, gs):
        a, b = ctx.saved_tensors
        print(gm, gs)
        return gm * b + gs, gm * a + gs


a, b = torch.tensor(2.0, requires_grad=True), torch.tensor(5.0, requires_grad=True)
m, s = Two.apply(a, b)
print(m, s, m.grad_fn is s.grad_fn, m.output_nr, s.output_nr)
m.backward(retain_graph=True)
print(a.grad, b.grad)
(m + s * 2).backward()
print(a.grad, b.grad)
