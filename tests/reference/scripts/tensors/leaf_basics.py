"""Which tensors are leaves, and what grad_fn says."""

import torch

a = torch.tensor([1.0, 2.0])
b = torch.tensor([1.0, 2.0], requires_grad=True)
c = a * 2
d = b * 2
e = d.detach()
f = torch.ones(2, requires_grad=True).double()
g = torch.ones(2, dtype=torch.float32, requires_grad=True).to(torch.float32)
for name, t in dict(a=a, b=b, c=c, d=d, e=e, f=f, g=g).items():
    print(name, t.is_leaf, t.requires_grad, t.grad_fn is None, t.dtype)
print(d.grad_fn)
print(type(d.grad_fn).__name__, d.grad_fn.name())
d.sum().backward()
print(b.grad, a.grad)
try:
    e.sum().backward()
except RuntimeError as err:
    print(type(err).__name__, "does not require grad" in str(err))
