"""Views of leaves: views taken before requires_grad, and after."""

import torch

x = torch.zeros(3)
v = x[1:]
x.requires_grad_()
print(v.requires_grad, v._base is x, v.grad_fn, v.is_leaf)
try:
    v.add_(1)
    print("wrote", x)
except RuntimeError:
    print("RuntimeError")
u = x[1:]
print(u.requires_grad, u.grad_fn)
try:
    u.add_(1)
except RuntimeError:
    print("RuntimeError")
t = torch.zeros(3)
w = t[1:]
try:
    w.requires_grad_()
    print(w.requires_grad, w.is_leaf, t.requires_grad, w._is_view(), w.grad_fn)
    (w * 2).sum().backward()
    print(w.grad, t.grad)
except RuntimeError:
    print("RuntimeError")
try:
    w.mul_(2)
except RuntimeError:
    print("RuntimeError")
try:
    t.add_(1)
    print("base written", t, w, w.grad_fn)
except RuntimeError:
    print("RuntimeError")
y = torch.zeros(3)
z = y.view(3)
y.mul_(x)
print(y.requires_grad, z.requires_grad, z.grad_fn, y.grad_fn)
z.sum().backward()
print(x.grad)
a = torch.ones(2, requires_grad=True)
b = a.view(2)
a.requires_grad_(False)
print(a.requires_grad, b.requires_grad, b.grad_fn, b._base is a)
try:
    b.sum().backward()
    print(a.grad)
except RuntimeError:
    print("RuntimeError")
c = torch.ones(2)
d = c.detach().requires_grad_()
e = d * 1
e.add_(c)
c.add_(5)
print(d, e, d._version)
