"""Accumulating in half precision, double leaves and mixed losses."""

import torch

w = torch.tensor([1.0, 2.0], dtype=torch.float16, requires_grad=True)
for k in range(3):
    (w.float() * (k + 1)).sum().backward()
print(w.grad, w.grad.dtype)
d = torch.tensor([1.0], dtype=torch.float64, requires_grad=True)
f = torch.tensor([1.0], dtype=torch.float32, requires_grad=True)
loss = (d * 2).float().sum() + (f * 3).double().sum().float()
loss.backward()
print(d.grad, f.grad)
b = torch.tensor([1.0, 3.0], dtype=torch.bfloat16, requires_grad=True)
(b * b).sum().backward()
print(b.grad)
c = torch.tensor([1.0 + 1.0j], requires_grad=True)
(c.real * 2).sum().backward()
print(c.grad)
try:
    w.grad = torch.zeros(2, dtype=torch.float32)
except Exception as e:
    print(type(e).__name__)
w.grad = None
(w * torch.tensor([2.0, 3.0])).sum().backward()
print(w.grad)
scaler = 1024.0
w.grad = None
((w * 1e-4).float().sum() * scaler).backward()
print((w.grad.float() / scaler))
