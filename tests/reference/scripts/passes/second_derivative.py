"""First, second and third derivatives of a polynomial by repeated grad."""

import torch

x = torch.tensor(2.0, requires_grad=True)
y = x**4 - 3 * x**2 + x
d = y
for order in range(1, 6):
    (d,) = torch.autograd.grad(d, x, create_graph=True, allow_unused=True)
    if d is None or not d.requires_grad:
        print(order, d)
        break
    print(order, d.item(), d.requires_grad)

t = torch.linspace(0, 3, 4, requires_grad=True)
s = torch.sin(t)
(c,) = torch.autograd.grad(s.sum(), t, create_graph=True)
(m,) = torch.autograd.grad(c.sum(), t, create_graph=True)
(k,) = torch.autograd.grad(m.sum(), t)
print(c)
print(m)
print(k, k.requires_grad)
