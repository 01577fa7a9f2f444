"""Tensor hooks: called with the gradient, may replace it, may be removed."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x.register_hook(lambda g: print("hook sees", g))
(x * 2).sum().backward()
print(x.grad)
h.remove()
h.remove()
(x * 2).sum().backward()
print(x.grad)

x.grad = None
h = x.register_hook(lambda g: g * 10)
(x * 2).sum().backward()
print(x.grad)
h.remove()

x.grad = None
with x.register_hook(lambda g: -g):
    (x * 2).sum().backward()
(x * 3).sum().backward()
print(x.grad)
try:
    torch.ones(2).register_hook(print)
except RuntimeError as e:
    print("cannot register a hook on a tensor that doesn't require gradient" in str(e))
