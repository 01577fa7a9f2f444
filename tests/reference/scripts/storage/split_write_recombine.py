"""Taking a tensor apart, changing the parts, putting it together."""

import torch

x = torch.arange(8.0, requires_grad=True)
a, b = x.chunk(2)
y = torch.cat([a * 2, b.neg()])
y[::2] = 0
print(y, y.grad_fn)
y.sum().backward()
print(x.grad)
x.grad = None
p = x * 1
l, r = p.view(2, 4)
try:
    l.add_(1)
except RuntimeError:
    print("RuntimeError")
l, r = p.view(2, 4)[0], p.view(2, 4)[1]
l.add_(r)
r.mul_(l)
print(p)
p.sum().backward()
print(x.grad)
x.grad = None
p = x * 1
parts = list(p.split(2))
parts[1] = parts[1] * 10
q = torch.cat(parts)
print(q)
q.sum().backward()
print(x.grad)
x.grad = None
p = x * 1
first = p[:2].clone()
p[:2] = p[-2:]
p[-2:] = first
print(p)
(p * torch.arange(8.0)).sum().backward()
print(x.grad)
data = torch.arange(12.0).view(3, 4)
u, v = data.hsplit(2)
u.zero_()
v[0], v[1] = v[1].clone(), v[0].clone()
print(data)
for k, part in enumerate(data.tensor_split((1, 3), dim=1)):
    part.add_(k * 100)
print(data, data._version)
s = torch.stack(data.unbind(1), 1)
print(torch.equal(s, data), s._base, s.is_contiguous())
m, n = torch.split(data, [1, 2])
m.copy_(n[0])
n[1] = m
print(data)
even, odd = data.view(-1)[::2], data.view(-1)[1::2]
even.add_(odd)
odd.sub_(even)
print(data)
t = torch.zeros(2, 2, 2)
for i, plane in enumerate(t.unbind(2)):
    plane.fill_(i)
    plane[0].add_(10)
print(t, t.unbind(0)[1].unbind(0)[0]._base is t)
