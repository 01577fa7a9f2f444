"""retain_grad on intermediates: once, twice, on leaves, after in-place changes."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
x.retain_grad()
print(x.retains_grad)
y = x * 2
y.retain_grad()
y.retain_grad()
z = y.exp().sum()
z.backward(retain_graph=True)
print(torch.allclose(y.grad, y.exp()))
z.backward()
print(torch.allclose(y.grad, 2 * y.exp()))
try:
    torch.ones(1).retain_grad()
except RuntimeError as e:
    print("can't retain_grad on Tensor that has requires_grad=False" in str(e))

a = x * 3
a.retain_grad()
a += 1
b = (a * torch.tensor([5.0, 6.0])).sum()
b.backward()
print(a.grad)

v = x * 1
v.retain_grad()
w = v.view(2, 1)
w.retain_grad()
(w * torch.tensor([[7.0], [8.0]])).sum().backward()
print(v.grad, w.grad)

import warnings

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    n = x * 2
    print(n.grad, len(caught), caught[0].category.__name__ if caught else None)
