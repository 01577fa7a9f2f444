"""detach shares memory and version, detach_ makes a leaf."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
d = y.detach()
print(d.requires_grad, d.grad_fn, d.data_ptr() == y.data_ptr(), d._version, y._version)
d[0] = 100
print(y, y._version)
z = (y * d).sum()
z.backward()
print(x.grad)
y = x * 3
y.detach_()
print(y.is_leaf, y.requires_grad, y.grad_fn)
try:
    x[0].detach_()
except RuntimeError as err:
    print(type(err).__name__)
e = x.exp()
e.detach().mul_(2)
try:
    e.sum().backward()
except RuntimeError as err:
    print(type(err).__name__, "modified by an inplace operation" in str(err))
c = x.clone().detach().requires_grad_(True)
(c**2).sum().backward()
print(c.grad, x.grad, torch.equal(c, x))
c = x.detach().clone()
c += 1
print(x, c)
