"""Freezing after the forward pass, unfreezing, and gradients of frozen parts."""

import torch
from torch import nn

a, b = nn.Linear(2, 2), nn.Linear(2, 1)
with torch.no_grad():
    for p in [*a.parameters(), *b.parameters()]:
        p.fill_(0.5)
x = torch.tensor([[1.0, -2.0]])
out = b(a(x))
for p in a.parameters():
    p.requires_grad_(False)
out.backward()
print([p.grad for p in a.parameters()], [p.grad for p in b.parameters()])
out = b(a(x))
print(out.requires_grad, a(x).requires_grad)
for p in a.parameters():
    p.requires_grad = True
b.requires_grad_(False)
for p in b.parameters():
    p.grad = None
b(a(x)).backward()
print([p.grad.tolist() for p in a.parameters()], [p.grad for p in b.parameters()])
try:
    h = a(x)
    h.requires_grad = False
except RuntimeError as e:
    print(type(e).__name__)
w = torch.ones(2, requires_grad=True)
y = w * 2
w.requires_grad_(False)
y.sum().backward()
print(w.grad)
