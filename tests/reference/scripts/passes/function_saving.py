"""save_for_backward: what may be saved, versions, None, and attributes on ctx."""
import torch
from torch.autograd import Function


class F(Function):
    @staticmethod
    def forward(ctx, x, w):
        out = x * w
        ctx.save_for_backward(x, None, w, out)
        ctx.shape = x.shape
        ctx.extra = {"k": 1}  # any name is free
        return out

    @staticmethod
    def backward(ctx, g):
        x, n, w, out = ctx.saved_tensors
        print(n, out.requires_grad, out.grad_fn is not None, ctx.shape, ctx.extra, x.is_leaf, w.is_leaf)
        return g * w, g * x


x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)
y = F.apply(x, w)
print([t if t is None else t.requires_grad for t in y.grad_fn.saved_tensors], y.grad_fn.needs_input_grad)
print(y.grad_fn.shape, y.grad_fn.extra, len(y.grad_fn.saved_tensors))
y.sum().backward(retain_graph=True)
y.sum().backward()
try:
    y.sum().backward()
except RuntimeError as e:
    print(type(e).__name__)
y = F.apply(x, w)
with torch.no_grad():
    w.mul_(2)
try:
    y.sum().backward()
except RuntimeError as e:
    print(type(e).__name__)
for what in (5, "s", [x], (x,), {"a": x}):
    class G(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(what)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g

    try:
        print(G.apply(x))
    except Exception as e:
        print(type(e).__name__)


class Twice(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_backward(x * 2, x * 3)
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        print(ctx.saved_tensors, ctx.saved_variables if hasattr(ctx, "saved_variables") else "")
        return g


Twice.apply(x).sum().backward()
