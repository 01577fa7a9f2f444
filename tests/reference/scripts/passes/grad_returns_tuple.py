"""torch.autograd.grad: what it returns, and that .grad is left alone."""

import torch
from torch.autograd import grad

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0, 4.0], requires_grad=True)
z = (x * y).sum()
r = grad(z, x, retain_graph=True)
print(type(r).__name__, len(r), r)
gx, gy = grad(z, [x, y], retain_graph=True)
print(gx, gy)
r = grad(z, (y, x, y), retain_graph=True)
print(len(r), r[0], r[1], r[2])
print(x.grad, y.grad)
print([g.requires_grad for g in r], [g.is_leaf for g in r])
print(r[0] is r[2], r[0].data_ptr() == r[2].data_ptr())
(only,) = grad(outputs=z, inputs=x)
print(only)
try:
    grad(z, x)
except RuntimeError as e:
    print("again:", type(e).__name__)
