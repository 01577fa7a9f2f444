"""Swapping rows, overlapping copies and other alias traps."""
import torch

a = torch.arange(6).view(3, 2)
a[0], a[1] = a[1], a[0]
print(a)
b = torch.arange(6).view(3, 2)
b[[0, 1]] = b[[1, 0]]
print(b)
c = torch.arange(6).view(3, 2)
c[0], c[1] = c[1].clone(), c[0].clone()
print(c)
d = torch.arange(5.0)
d[1:] = d[:-1].clone()
print(d)
try:
    d[1:].copy_(d[:-1])
    print("copied")
except RuntimeError as e:
    print("overlap", type(e).__name__)
try:
    d[1:] += d[:-1]
    print("added")
except RuntimeError as e:
    print("overlap", type(e).__name__)
e = torch.ones(3)
f = e
e += f
print(e, f is e)
e.add_(e).mul_(e)
print(e)
rows = [torch.zeros(2)] * 3
rows[0][0] = 1
print(rows)
g = torch.zeros(2, 2)
for row in g:
    row += 1
print(g)
h = torch.eye(2)
h.t().mul_(torch.tensor([1.0, 2.0]))
print(h)
h[:] = h @ h
print(h)
lst = h.tolist()
lst[0][0] = 99
print(h[0, 0])
