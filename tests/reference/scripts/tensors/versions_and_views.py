"""_version, _base, _is_view over leaf writes."""
import torch

x = torch.zeros(4)
print(x._version, x._base, x._is_view())
x.add_(1)
x[0] = 5
x.data.add_(1)
x.detach().add_(1)
print(x, x._version)
v = x[1:3]
print(v._base is x, v._is_view(), v._version, v[0]._base is x)
v.mul_(2)
print(x, x._version, v._version)
w = torch.ones(3, requires_grad=True)
print(w._version, w.view(3, 1)._base is w, w.detach()._base, w.detach()._is_view(), w.data._is_view())
with torch.no_grad():
    w.mul_(2)
    u = w.view(3, 1)
    print(w._version, u._base is w, u._is_view(), u.requires_grad)
    u.add_(1)
print(w, w._version)
y = w.exp()
with torch.no_grad():
    y.add_(1)
try:
    y.sum().backward()
except RuntimeError as e:
    print(type(e).__name__)
y = w * w
with torch.no_grad():
    w.add_(1)
try:
    y.sum().backward()
except RuntimeError as e:
    print(type(e).__name__)
y = w * 3
with torch.no_grad():
    w.zero_()
y.sum().backward()
print(w.grad)
a = torch.ones(2, 2, requires_grad=True)
b = a.clone()
c = b[0]
c.mul_(5)
print(b, c)
b.sum().backward()
print(a.grad)
d = torch.zeros(3)
d[1:].copy_(torch.ones(2, requires_grad=True))
print(d, d[1:], d[0])
e = torch.ones(3)
f = e.unbind()
print(f[0]._is_view(), f[0]._base is e)
r = torch.arange(4.0).reshape(2, 2)
print(r._is_view(), r.reshape(4)._base is not None, r.t().reshape(4)._is_view(), r.contiguous() is r, r.flatten().data_ptr() == r.data_ptr())
s = torch.empty(0)
s.resize_(3).zero_()
print(s, s._version, torch.ones(3).set_(torch.zeros(2)) if hasattr(torch.Tensor, "set_") else "")
