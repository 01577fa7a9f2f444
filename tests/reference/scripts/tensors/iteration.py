"""Iterating, unpacking, len, in, enumerate, zip."""

import torch

x = torch.arange(6.0).view(3, 2)
for row in x:
    print(row, row.shape)
a, b, c = x
print(a, b, c, len(x), len(torch.zeros(0, 4)))
print([v.item() for v in x[0]], list(torch.tensor([1, 2])), sum(torch.tensor([1, 2, 3])), max(torch.tensor([3, 9, 4])))
for i, (p, q) in enumerate(zip(x, x[1:])):
    print(i, p + q)
for bad in (len, iter, list):
    try:
        bad(torch.tensor(1.0))
    except TypeError as err:
        print(bad.__name__, type(err).__name__, "0-d" in str(err))
print(2.0 in x, 7 in x, torch.tensor(3.0) in x)
try:
    print("a" in x)
except (RuntimeError, TypeError) as err:
    print(type(err).__name__)
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
total = 0
for v in w:
    total = total + v * v
total.backward()
print(total, w.grad)
p, q, r = w
print(p, p.grad_fn, sorted([t.item() for t in w], reverse=True))
print(x.unbind(1), [*reversed(torch.tensor([1, 2, 3]))])
