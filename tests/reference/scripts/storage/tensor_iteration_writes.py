"""Iterating over a tensor gives views."""

import torch

m = torch.zeros(3, 2)
for i, r in enumerate(m):
    r[:] = i
    r[0] += 0.5
print(m, m._version)
for r in m.unbind(1):
    r.mul_(2)
print(m)
a, b, c = m
a.fill_(9)
print(m, a._base is m)
first, *rest = m
rest[-1].zero_()
print(m, len(rest))
for r, s in zip(m, m.clone()):
    r.copy_(s.flip(0))
print(m)
w = torch.ones(3, 2, requires_grad=True)
for r in w:
    print(r.grad_fn, r.requires_grad, r._is_view())
    try:
        r.mul_(2)
    except RuntimeError:
        print("RuntimeError")
y = w * 1
for r in y:
    try:
        r.mul_(3)
        print("wrote")
    except RuntimeError:
        print("RuntimeError")
for i in range(3):
    y[i].mul_(i + 1.0)
print(y, y.grad_fn, y._version)
y.sum().backward()
print(w.grad)
print(
    [float(v) for v in torch.arange(3.0)],
    max(torch.tensor([1, 5, 2])),
    sum(torch.tensor([1, 5, 2])),
    sorted(torch.tensor([3, 1, 2])),
    5 in torch.tensor([1, 5]),
    torch.tensor(2) in torch.tensor([1, 3]),
    list(torch.tensor([[1, 2]])),
    tuple(torch.tensor([True])),
    dict(enumerate(torch.tensor([7]))),
    reversed(torch.tensor([1, 2])),
)
try:
    for v in torch.tensor(1):
        pass
except TypeError:
    print("TypeError")
try:
    a, b = m
except ValueError:
    print("ValueError")
