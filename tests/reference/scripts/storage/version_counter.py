"""The version counter follows writes through every alias."""

import torch

x = torch.zeros(4)
print(x._version)
x.add_(1)
print(x._version)
x[0] = 3
print(x._version)
x[1:3] += 1
print(x._version)
x[x > 2] = 0
print(x._version)
v = x.view(2, 2)
print(v._version, x._version)
v.mul_(2)
print(v._version, x._version)
d = x.detach()
d.zero_()
print(d._version, x._version)
t = x.data
t.fill_(1)
print(t._version, x._version)
c = x.clone()
print(c._version)
torch.add(x, 1, out=x)
print(x._version)
x.requires_grad_()
print(x._version)
with torch.no_grad():
    x.zero_()
print(x._version)
x.grad = torch.ones(4)
x.grad.add_(1)
print(x.grad._version)
y = x * 2
print(y._version)
y += 1
print(y._version)
y -= 1
y *= 2
y /= 4
print(y._version)
y **= 2
print(y._version)
e = torch.empty(0)
e.fill_(1)
print(e._version)
x2 = torch.arange(5)
x2 += 1
x2 //= 2
x2 %= 3
print(x2._version, x2)
x2 &= 1
x2 |= 2
x2 ^= 3
print(x2._version, x2)
