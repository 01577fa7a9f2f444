"""clip_grad_norm_ and clip_grad_value_, by the library and by hand."""

import torch
from torch.nn.utils import clip_grad_norm_, clip_grad_value_


def make():
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([[3.0]], requires_grad=True)
    ((a**2).sum() * b.sum()).backward()
    return a, b


a, b = make()
print(a.grad, b.grad)
total = clip_grad_norm_([a, b], max_norm=1.0)
print(total, a.grad, b.grad)
a, b = make()
clip_grad_value_([a, b], 5.5)
print(a.grad, b.grad)
a, b = make()
print(clip_grad_norm_([a, b], 100.0), a.grad)
print(clip_grad_norm_([a, b], 2.0, norm_type=float("inf")), a.grad)
print(clip_grad_norm_([], 1.0), clip_grad_norm_([torch.ones(2, requires_grad=True)], 1.0))
a, b = make()
norm = torch.cat([p.grad.flatten() for p in (a, b)]).norm()
for p in (a, b):
    p.grad.mul_(min(1.0, 1.0 / norm.item()))
print(a.grad)
a, b = make()
a.grad[0] = float("nan")
print(clip_grad_norm_([a, b], 1.0))
try:
    clip_grad_norm_([a, b], 1.0, error_if_nonfinite=True)
except RuntimeError as e:
    print(type(e).__name__)
