"""detach, detach_, data, clone and requires_grad_: what shares what."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
d = x.detach()
print(d.requires_grad, d.is_leaf, d.data_ptr() == x.data_ptr())
c = x.clone()
print(c.requires_grad, c.is_leaf, c.data_ptr() == x.data_ptr())
dc = x.detach().clone()
print(dc.requires_grad, dc.is_leaf)
y = x * 2
z = y * 3
y.detach_()
print(y.requires_grad, y.is_leaf, y.grad_fn, z.grad_fn is not None)
z.sum().backward()
print(x.grad)
y.requires_grad_()
(y * z.detach()).sum().backward()
print(y.grad, x.grad)
try:
    (x * 2).view(2, 1).detach_()
except RuntimeError as e:
    print(type(e).__name__)
d[0] = 100.0
print(x)
