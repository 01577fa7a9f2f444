"""Freezing parts: requires_grad_(False), detach at a boundary, no_grad forward, selective rows."""
import torch
from torch import nn

torch.manual_seed(0)
enc, dec = nn.Linear(2, 2), nn.Linear(2, 1)
with torch.no_grad():
    for p in [*enc.parameters(), *dec.parameters()]:
        p.fill_(0.5)
x = torch.tensor([[1.0, 2.0]])


def grads():
    out = [None if p.grad is None else p.grad.flatten().tolist() for p in [*enc.parameters(), *dec.parameters()]]
    for p in [*enc.parameters(), *dec.parameters()]:
        p.grad = None
    return out


dec(enc(x)).sum().backward()
print(grads())
dec(enc(x).detach()).sum().backward()
print(grads())
with torch.no_grad():
    h = enc(x)
dec(h).sum().backward()
print(grads(), h.requires_grad)
enc.weight.requires_grad_(False)
dec(enc(x)).sum().backward()
print(grads())
enc.requires_grad_(True)
mask = torch.tensor([[1.0], [0.0]])
hook = enc.weight.register_hook(lambda g: g * mask)
dec(enc(x)).sum().backward()
print(grads())
hook.remove()
for p in dec.parameters():
    p.requires_grad = False
y = dec(enc(x))
print(y.requires_grad, [p.requires_grad for p in dec.parameters()])
y.sum().backward()
print(grads())
