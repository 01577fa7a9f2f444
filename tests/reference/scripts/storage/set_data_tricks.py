"""Assigning .data and .grad, swapping parameters, moving averages."""

import torch

p = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
q = torch.nn.Parameter(torch.tensor([3.0, 4.0]))
p.data, q.data = q.data, p.data
print(p, q, p._version, q._version)
y = (p * q).sum()
p.data.mul_(10)
y.backward()
print(p.grad, q.grad)
p.data = torch.tensor([0.0, 0.0])  # PyTorch lets a pass already recorded see it
y = (p * q).sum()
y.backward()
del y
print(p.grad, q.grad)
shadow = p.data.clone()
shadow.mul_(0.5).add_(q.data, alpha=0.5)
print(shadow, shadow.requires_grad)
backup = p.data
p.data = shadow
print(p, p.data_ptr() == shadow.data_ptr(), backup)
shadow.add_(1)
print(p)
p.data.copy_(backup)
print(p, shadow)
p.data[0] = 5
p.data += 1
p.data = p.data.view(2, 1)
print(p.shape, p.grad.shape, p.is_leaf)
try:
    (p * 2).sum().backward()
    print(p.grad)
except RuntimeError:
    print("RuntimeError")
p.grad = None
(p * 2).sum().backward()
print(p.grad)
r = torch.ones(2, requires_grad=True)
z = r * 2
z.data.zero_()
print(z, z.grad_fn)
z.sum().backward()
print(r.grad)
z = r * 2
z.data = torch.ones(3)
print(z, z.shape)
try:
    z.sum().backward()
    print(r.grad)
except RuntimeError:
    print("RuntimeError")
try:
    r.data = None
except TypeError:
    print("TypeError")
try:
    r.data = 3.0
except TypeError:
    print("TypeError")
t = torch.zeros(2, dtype=torch.long)
t.data = torch.tensor([1.5, 2.5])
print(t, t.dtype)
