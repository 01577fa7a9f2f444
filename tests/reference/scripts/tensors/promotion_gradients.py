"""Gradients come back in the dtype of the leaf."""

import torch

a = torch.tensor([1.0, 2.0], dtype=torch.float32, requires_grad=True)
b = torch.tensor([3.0, 4.0], dtype=torch.float64, requires_grad=True)
h = torch.tensor([0.5, 0.25], dtype=torch.float16, requires_grad=True)
i = torch.tensor([2, 3])
y = a * b + h * i
print(y)
y.sum().backward()
print(a.grad, b.grad, h.grad)
c = torch.tensor([1.0 + 1.0j, 2.0], requires_grad=True)
r = torch.tensor([1.0, 2.0], requires_grad=True)
out = (c * r).real.sum()
out.backward()
print(c.grad, r.grad)
s = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
v = torch.ones(3, requires_grad=True)
w = v * s
print(w.dtype)
w.sum().backward()
print(s.grad, v.grad)
