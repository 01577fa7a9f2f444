"""_version under in-place changes, views, detach and data."""

import torch

x = torch.zeros(4)
print(x._version)
x.add_(1)
x += 1
x[0] = 5
print(x._version)
v = x.view(2, 2)
v.mul_(2)
print(x._version, v._version)
d = x.detach()
d.zero_()
print(x._version, d._version)
x.data.fill_(3)
print(x._version, x.data._version)
c = x.clone()
print(c._version)
with torch.no_grad():
    x.sub_(1)
print(x._version, x)
torch.add(x, 1, out=c)
print(c._version)
y = torch.autograd.graph.increment_version(x)
print(y, x._version)
x.requires_grad_()
print(x._version)
