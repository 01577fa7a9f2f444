"""Padding masks: losses over valid positions only, gradients of padding are zero."""

import torch
import torch.nn.functional as F

logits = torch.linspace(-1, 1, 24).reshape(2, 4, 3).requires_grad_()
target = torch.tensor([[0, 2, 1, -100], [1, -100, -100, -100]])
loss = F.cross_entropy(logits.view(-1, 3), target.view(-1))
loss.backward()
print(loss, logits.grad.abs().sum(-1))
logits.grad = None
mask = target != -100
per = F.cross_entropy(logits.transpose(1, 2), target.clamp(min=0), reduction="none")
masked = (per * mask).sum() / mask.sum()
masked.backward()
print(torch.allclose(masked, loss), logits.grad[0, 3].abs(), per.shape)
x = torch.tensor([[1.0, float("nan")], [2.0, 3.0]], requires_grad=True)
m = torch.tensor([[True, False], [True, True]])
y = (x * m).sum()
z = x.masked_fill(~m, 0.0).sum()
print(torch.autograd.grad(y, x)[0], torch.autograd.grad(z, x)[0], y.item(), z.item())
print(torch.autograd.grad(torch.where(m, x, torch.zeros(())).pow(2).sum(), x)[0])
print(torch.autograd.grad(x[m].sum(), x)[0])
