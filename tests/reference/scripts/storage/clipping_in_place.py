"""Gradient clipping by value and by norm, with the .grad tensors changed in place."""
import torch
from torch.nn.utils import clip_grad_norm_

a = torch.tensor([3.0, -4.0], requires_grad=True)
b = torch.tensor([[1.0, 2.0]], requires_grad=True)
(a.pow(2).sum() + 10 * b.sum()).backward()
print(a.grad, b.grad)
held = a.grad
total = torch.sqrt(sum(p.grad.pow(2).sum() for p in (a, b)))
print(total)
print(clip_grad_norm_([a, b], max_norm=1.0))
print(a.grad, b.grad, a.grad is held)
print(torch.cat([p.grad.flatten() for p in (a, b)]).norm())
a.grad.clamp_(-0.3, 0.3)
print(a.grad, held)
for p in (a, b):
    p.grad.mul_(2)
print(a.grad, b.grad, a.grad._version)
a.grad[0] = 0
print(a.grad)
a.grad.zero_()
b.grad = None
print(held, b.grad)
a.register_hook(lambda g: g.clamp(-1, 1))
(a * 100).sum().backward()
print(a.grad)
