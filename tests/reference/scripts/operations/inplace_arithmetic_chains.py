"""Chains of in-place operators on non-leaves, version counters, aliases and their gradients."""

import torch

x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
y = x.clone()
z = y
y += 1
y *= x
y -= 0.5
y /= 2
y **= 2
print(y, y is z, y._version, y.grad_fn.name())
y.sum().backward()
print(x.grad)
x.grad = None
a = x * 1
a.mul_(2).add_(x, alpha=3).sub_(1).neg_().abs_().sqrt_()
print(a, a._version, a.grad_fn.name())
a.sum().backward()
print(x.grad)
x.grad = None
b = x * 1
b[0] = b[1] * b[2]
b[1:].mul_(b[0])
b.clamp_(max=20)
print(b, b._version)
b.sum().backward()
print(x.grad)
x.grad = None
c = torch.zeros(3, dtype=torch.float64)
c.copy_(x)
c.addcmul_(x, x, value=0.5).lerp_(x, 0.25).exp_().log_().round_(decimals=3)
print(c, c.grad_fn.name())
d = x.sigmoid()
d.mul_(2)
try:
    d.sum().backward()
except RuntimeError as error:
    print(type(error).__name__)
e = x.sin()
e.add_(1)
e.sum().backward()
print(x.grad)
f = x.relu()
f += 1
try:
    f.sum().backward()
    print("ok", x.grad)
except RuntimeError as error:
    print(type(error).__name__)
i = torch.tensor([7, 8, 9])
i //= 2
i %= 3
i <<= 2
i |= 1
i ^= 2
i &= 7
i **= 2
print(i)
t = torch.tensor([True, False])
t &= True
t |= torch.tensor([False, True])
t ^= torch.tensor([True, True])
print(t)
for bad in [
    "i /= 2",
    "i += 0.5",
    "t += 1",
    "x += 1",
    "i @= i",
    "t -= True",
    "c += 'a'",
    "c[5] = 1",
    "c += torch.ones(2, 3)",
    "i *= 1.5",
    "t /= True",
    "i <<= 1.0",
    "c |= 1",
]:
    try:
        exec(bad)
        print(bad, "fine")
    except Exception as error:
        print(bad, type(error).__name__)
