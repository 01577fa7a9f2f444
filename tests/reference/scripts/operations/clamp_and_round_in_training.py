"""Straight-through estimators, quantizers, clipping of values and of gradients."""

import torch

w = torch.tensor([-1.7, -0.2, 0.4, 2.6], requires_grad=True)
q = w + (w.round() - w).detach()
print(q)
(q**2).sum().backward()
print(w.grad)
w.grad = None
s = torch.tensor(0.5, requires_grad=True)
z = (w / s).round().clamp(-2, 3) * s
z.sum().backward()
print(z, w.grad, s.grad)
w.grad = s.grad = None
c = w.clamp(-1, 1)
h = w.hardtanh() if hasattr(w, "hardtanh") else torch.nn.functional.hardtanh(w)
(c + h).sum().backward()
print(w.grad)
w.grad = None
torch.sign(w).sum().backward()
print(w.grad)
w.grad = None


class STE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x.abs() <= 1)


STE.apply(w).sum().backward()
print(w.grad, STE.apply(w))
print(
    torch.nn.utils.clip_grad_norm_([w], 0.5),
    w.grad,
    torch.nn.utils.clip_grad_value_([w], 0.1),
    w.grad,
)
w.register_hook(lambda g: g.clamp(-0.01, 0.01))
w.grad = None
(w * 100).sum().backward()
print(w.grad)
print(
    w.detach().clamp_(min=0).sqrt(),
    torch.clamp(torch.tensor([1, 5]), 2.5),
    torch.clamp(torch.tensor([1, 5]), max=torch.tensor([0, 9])),
    torch.tensor([1.0]).clamp(float("nan"), 2),
    torch.tensor([float("nan")]).clamp(0, 1),
)
