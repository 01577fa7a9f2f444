"""Writing under no_grad: versions still count, history does not."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
with torch.no_grad():
    y.mul_(10)
print(y, y.grad_fn, y._version, y.requires_grad)
y.sum().backward()
print(x.grad)
x.grad = None
y = x.exp()
with torch.no_grad():
    y.mul_(10)
try:
    y.sum().backward()
except RuntimeError:
    print("RuntimeError")
y = x * x
with torch.no_grad():
    x.zero_()
try:
    y.sum().backward()
except RuntimeError:
    print("RuntimeError")
x = torch.tensor([1.0, 2.0], requires_grad=True)
with torch.no_grad():
    b = torch.zeros(2)
    b[0] = x[0]
    b += x
print(b, b.requires_grad)
b += x
print(b.requires_grad, b.grad_fn)
c = x * 2
with torch.no_grad():
    c[0] = 100
    v = c[1:]
    v.zero_()
    c.detach_()
print(c, c.requires_grad, c._version)


@torch.no_grad()
def f(t):
    t.add_(1)
    return t


z = x * 1
r = f(z)
print(r is z, r.requires_grad, z)
with torch.set_grad_enabled(False):
    x.mul_(5)
print(x, x.grad_fn)
with torch.no_grad():
    with torch.enable_grad():
        try:
            x.mul_(2)
        except RuntimeError:
            print("RuntimeError")
    w = torch.ones(2, requires_grad=True)
    w.mul_(3)
    w.requires_grad_(False).requires_grad_()
print(w, w.is_leaf)
t = x.clone()
with torch.no_grad():
    t.copy_(torch.zeros(2))
t.sum().backward()
print(t, x.grad)
t = x.clone()
with torch.no_grad():
    t.requires_grad_() if t.is_leaf else print("not a leaf")
    t.fill_(0).add_(x)
print(t, t.grad_fn)
