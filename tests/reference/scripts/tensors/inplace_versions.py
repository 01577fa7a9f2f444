"""Version counters and which writes spoil backward."""

import torch

x = torch.ones(2, requires_grad=True)
y = x * 2
print(y._version)
y += 1
y.mul_(3)
y[0] = 5
print(y._version, y)
y.sum().backward()
print(x.grad)
a = torch.tensor([1.0, 2.0], requires_grad=True)
b = a * 1
c = b**2
b += 1
try:
    c.sum().backward()
except RuntimeError as err:
    print(type(err).__name__, "modified by an inplace operation" in str(err))
b = a * 1
c = b + 2
b += 1
c.sum().backward()
print(a.grad)
t = torch.zeros(2)
v = t[0]
v += 1
print(t._version, v._version, t)
with torch.no_grad():
    a.add_(1)
print(a._version, a)
d = a.detach()
d.zero_()
print(a._version, a)
