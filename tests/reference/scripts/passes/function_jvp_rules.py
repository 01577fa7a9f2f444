"""jvp of custom functions: several inputs, missing tangents, wrong results."""
import torch
import torch.autograd.forward_ad as fwAD
from torch.autograd import Function


class Mul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_forward(a, b)
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * b, g * a

    @staticmethod
    def jvp(ctx, ta, tb):
        a, b = ctx.saved_tensors
        print("jvp", ta, tb)
        return ta * b + a * tb


a, b = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
with fwAD.dual_level():
    da = fwAD.make_dual(a, torch.ones(2))
    db = fwAD.make_dual(b, torch.tensor([0.0, 1.0]))
    print(fwAD.unpack_dual(Mul.apply(da, db)).tangent)
    print(fwAD.unpack_dual(Mul.apply(da, b)).tangent)
    print(fwAD.unpack_dual(Mul.apply(a, b)).tangent)


class Two(Function):
    @staticmethod
    def forward(ctx, a):
        ctx.set_materialize_grads(False)
        return a * 2, a * 3

    @staticmethod
    def jvp(ctx, t):
        return t * 2, None


class Wrong(Two):
    @staticmethod
    def jvp(ctx, t):
        return t * 2


class NoJvp(Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


class BadShape(NoJvp):
    @staticmethod
    def jvp(ctx, t):
        return torch.ones(5)


class InPlace(NoJvp):
    @staticmethod
    def forward(ctx, a):
        ctx.mark_dirty(a)
        return a.mul_(2)

    @staticmethod
    def jvp(ctx, t):
        return t.mul_(2)


class AsView(NoJvp):
    @staticmethod
    def forward(ctx, a):
        return a.view_as(a)

    @staticmethod
    def jvp(ctx, t):
        return t.view_as(t)


for cls in (Two, Wrong, NoJvp, BadShape, InPlace, AsView):
    with fwAD.dual_level():
        d = fwAD.make_dual(a.clone(), torch.ones(2))
        try:
            out = cls.apply(d)
            outs = out if isinstance(out, tuple) else (out,)
            print(cls.__name__, [fwAD.unpack_dual(o).tangent for o in outs])
        except Exception as e:
            print(cls.__name__, type(e).__name__)
x = a.double().requires_grad_()
print(torch.autograd.gradcheck(Mul.apply, (x, b.double()), check_forward_ad=False))
