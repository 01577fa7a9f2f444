"""gradcheck and gradgradcheck: arguments, failures, refusals."""
import warnings
import torch
from torch.autograd import forward_ad, gradcheck, gradgradcheck, Function

with forward_ad.dual_level():
    # PyTorch's first dual tensor loads what these need, with warnings that are no part of gradcheck.
    forward_ad.make_dual(torch.ones(1), torch.ones(1))


class Wrong(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x * 2.1


def run(f):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            r = f()
        except Exception as e:
            r = type(e).__name__
    return r, [w.category.__name__ for w in seen]


x = torch.tensor([0.3, 0.9], dtype=torch.float64, requires_grad=True)
w = torch.tensor([[1.0, 2.0]], dtype=torch.float64, requires_grad=True)
f32 = torch.tensor([0.3, 0.9], requires_grad=True)
c = torch.tensor([0.3 + 1j, 0.9], dtype=torch.complex128, requires_grad=True)
print(run(lambda: gradcheck(torch.sin, x)))
print(run(lambda: gradcheck(lambda a, b: (a * b).exp(), (x, w))))
print(run(lambda: gradcheck(Wrong.apply, x)))
print(run(lambda: gradcheck(Wrong.apply, x, raise_exception=False)))
print(run(lambda: gradcheck(torch.sin, f32)))
print(run(lambda: gradcheck(torch.sin, f32, eps=1e-2, atol=1e-2)))
print(run(lambda: gradcheck(torch.sin, x.detach())))
print(run(lambda: gradcheck(torch.sin, x.detach(), raise_exception=False)))
print(run(lambda: gradcheck(torch.sin, (x,), eps=1e-6, atol=1e-5, rtol=1e-3, fast_mode=True)))
print(run(lambda: gradcheck(Wrong.apply, (x,), fast_mode=True)))
print(run(lambda: gradcheck(torch.abs, c)))
print(run(lambda: gradcheck(lambda z: z * z.conj(), c)))
print(run(lambda: gradcheck(lambda a: (a, a * 2), x)))
print(run(lambda: gradcheck(lambda a: a.detach(), x)))
print(run(lambda: gradcheck(torch.round, x)))
print(run(lambda: gradcheck(torch.sin, x, check_forward_ad=True, check_backward_ad=False)))
print(run(lambda: gradcheck(torch.sin, x, check_batched_grad=True)))
print(run(lambda: gradcheck(lambda a: a.expand(3, 2), x)))
print(run(lambda: gradcheck(torch.sin, x.detach()[:1].expand(2).requires_grad_())))
print(run(lambda: gradgradcheck(torch.sin, x)))
print(run(lambda: gradgradcheck(lambda a, b: (a * b).sum(), (x, w))))
print(run(lambda: gradgradcheck(torch.sin, x, torch.ones(2, dtype=torch.float64, requires_grad=True))))
print(run(lambda: gradgradcheck(Wrong.apply, x)))
print(run(lambda: gradgradcheck(lambda a: a * 2, x)))
print(x.grad, w.grad)
