"""A tensor that is both a root and on the way to another root gets both gradients."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x * 3
h.retain_grad()
y = (h * h).sum()
torch.autograd.backward([y, h], [None, torch.tensor([10.0, 100.0])])
print(h.grad)
print(x.grad)

g = torch.autograd.grad([(x * 2).sum(), (x**2).sum()], x)
print(g)
a = x * 2
b = a * 3
print(torch.autograd.grad([b, a], [x, a], [torch.ones(2), torch.ones(2) * 5]))
