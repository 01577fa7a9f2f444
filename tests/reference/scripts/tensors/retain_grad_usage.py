"""retain_grad on leaves, non-leaves, and tensors without grad."""

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * 2
y.retain_grad()
print(y.retains_grad, x.retains_grad)
z = (y**2).sum()
z.backward()
print(x.grad, y.grad)
x.retain_grad()
print(x.retains_grad)
try:
    torch.ones(2).retain_grad()
except RuntimeError as err:
    print(type(err).__name__, "retain_grad" in str(err))
a = x * 3
a.retain_grad()
a.retain_grad()
a.sum().backward()
a2 = a.grad
print(a.grad)
b = x.exp()
b.retain_grad()
b.mul_(1.0) if False else None
(b * b).sum().backward()
print(b.grad)
