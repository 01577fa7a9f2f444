"""Gradients keep the dtype of their leaf, whatever the computation's dtype is."""

import torch

h = torch.tensor([1.0, 2.0], dtype=torch.float16, requires_grad=True)
f = torch.tensor([3.0, 4.0], dtype=torch.float32, requires_grad=True)
d = torch.tensor([5.0, 6.0], dtype=torch.float64, requires_grad=True)
out = h * f * d
print(out.dtype)
out.sum().backward()
for t in (h, f, d):
    print(t.grad, t.grad.dtype)

x = torch.tensor([1.5], requires_grad=True)
y = x.double() * 2
y.backward()
print(x.grad, y.dtype)

i = torch.tensor([1, 2, 3])
w = torch.tensor([0.5, 0.5, 0.5], requires_grad=True)
(w * i).sum().backward()
print(w.grad)
try:
    torch.tensor([1, 2], requires_grad=True)
except RuntimeError as e:
    print("Only Tensors of floating point" in str(e) or "only Tensors of floating point" in str(e))
b = x.bfloat16()
b.sum().backward()
print(b.dtype, x.grad)
