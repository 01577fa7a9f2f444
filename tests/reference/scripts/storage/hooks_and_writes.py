"""Hooks on tensors that are written in place."""

import torch

x = torch.ones(2, requires_grad=True)
y = x * 3
y.register_hook(lambda g: print("before write", g))
y.mul_(2)
y.register_hook(lambda g: print("after write", g))
y.retain_grad()
y.sum().backward()
print(x.grad, y.grad)
x.grad = None
y = x * 3
y.retain_grad()
y.mul_(5)
y.sum().backward()
print(y.grad, x.grad)
x.grad = None
b = x * 1
v = b[0:1]
v.register_hook(lambda g: print("view", g))
b.register_hook(lambda g: print("base", g))
v.mul_(4)
b.sum().backward()
print(x.grad)
x.grad = None
b = x * 1
v = b[0:1]
v.retain_grad()
b.mul_(2)
try:
    (b.sum() + v.sum()).backward()
    print(v.grad, x.grad)
except RuntimeError:
    print("RuntimeError")
w = torch.ones(2, requires_grad=True)
w.register_hook(lambda g: g * 10)
with torch.no_grad():
    w.mul_(7)
(w * w).sum().backward()
print(w.grad)
