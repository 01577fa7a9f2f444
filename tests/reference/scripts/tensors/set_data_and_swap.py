"""Swapping data between parameters, .data assignment."""
import torch
from torch import nn

a, b = nn.Linear(2, 2), nn.Linear(2, 2)
with torch.no_grad():
    a.weight.fill_(1), a.bias.fill_(0), b.weight.fill_(2), b.bias.fill_(1)
a.weight.data, b.weight.data = b.weight.data, a.weight.data
print(a.weight, b.weight, a.weight.grad_fn)
ptr = a.weight.data_ptr()
a.weight.data = torch.zeros(2, 2)
print(a.weight, a.weight.data_ptr() == ptr, a.weight.is_leaf, a.weight.requires_grad)
a.weight.data.copy_(torch.eye(2))
print(a.weight, a.weight._version)
a.weight.data[0, 1] = 5
a.weight.data *= 2
print(a.weight)
x = torch.ones(1, 2)
y = a(x).sum()
a.weight.data.zero_()
y.backward()
print(a.weight.grad, a.weight)
p = nn.Parameter(torch.ones(2))
p.data = torch.full((2,), 10.0)
(p * p).sum().backward()
print(p.grad, p)
p.grad.data.zero_()
p.grad.data = torch.ones(2)
print(p.grad)
try:
    p.grad.data = torch.ones(3)
    print(p.grad.shape)
except Exception as e:
    print(type(e).__name__)
q = torch.ones(2, requires_grad=True)
v = q.view(2, 1)
q.data = torch.zeros(2)
print(v, q)
q.data = torch.zeros(5)
print(q.shape, (q + 1).sum())
s = torch.zeros(3)
s.data = torch.ones(2, 2)
print(s, s.shape)
s.data = torch.ones(2, dtype=torch.float64)
print(s.dtype, s)
t = torch.ones(3)
t.set_(torch.zeros(2))
print(t, t.shape)
c = nn.Linear(2, 2)
c.load_state_dict(a.state_dict())
a.weight.data.add_(1)
print(c.weight.data.sum(), a.weight.data.sum())
c.weight = a.weight
print(c.weight is a.weight, c.state_dict()["weight"].data_ptr() == a.weight.data_ptr())
with torch.no_grad():
    c.weight.set_(torch.ones(2, 2)) if hasattr(c.weight, "set_") else None
print(a.weight)
