"""Gradient reversal and gradient scaling with hooks instead of a custom function."""

import torch
from torch import nn

feature = nn.Linear(2, 2, bias=False)
domain = nn.Linear(2, 1, bias=False)
label = nn.Linear(2, 1, bias=False)
with torch.no_grad():
    feature.weight.copy_(torch.tensor([[1.0, 0.5], [0.0, 1.0]]))
    domain.weight.copy_(torch.tensor([[1.0, -1.0]]))
    label.weight.copy_(torch.tensor([[0.5, 2.0]]))
x = torch.tensor([[1.0, 2.0]])
h = feature(x)
rev = h.view_as(h)
rev.register_hook(lambda g: -0.5 * g)
loss = label(h).sum() + domain(rev).sum()
loss.backward()
print(feature.weight.grad)
print(domain.weight.grad, label.weight.grad)

feature.weight.grad = None
h = feature(x)
rev = h.clone()
rev.register_hook(lambda g: g.neg())
domain(rev).sum().backward()
print(feature.weight.grad)
