"""nn.Parameter: what it is, and what operations make of it."""

import torch
from torch import nn

p = nn.Parameter(torch.tensor([1.0, 2.0]))
print(p, type(p).__name__, isinstance(p, torch.Tensor), p.requires_grad, p.is_leaf)
print(type(p * 1).__name__, type(p.data).__name__, type(p.detach()).__name__, type(p.clone()).__name__, type(p[0]).__name__)
print(nn.Parameter(torch.ones(1), requires_grad=False))
x = torch.ones(2)
q = nn.Parameter(x)
x[0] = 5
print(q.data)
try:
    nn.Parameter(torch.arange(3))
except RuntimeError as err:
    print(type(err).__name__)
print(nn.Parameter(torch.arange(3), requires_grad=False))
r = nn.Parameter(p)
print(r is p, r.data_ptr() == p.data_ptr(), nn.Parameter(p * 2).is_leaf, nn.Parameter())
print(repr(nn.Parameter(torch.eye(2))))
print(p.double(), p.to(torch.float32) is p, p.requires_grad_(False) is p)
