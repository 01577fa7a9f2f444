"""Parameters without gradients are left alone; gradients can be set by hand."""

import torch

a = torch.ones(2, requires_grad=True)
b = torch.ones(2, requires_grad=True)
opt = torch.optim.SGD([a, b], lr=0.5, weight_decay=0.1)
(a * 2).sum().backward()
opt.step()
print(a.data, b.data, b.grad)
b.grad = torch.full((2,), 4.0)
a.grad = None
opt.step()
print(a.data, b.data)
adam = torch.optim.Adam([a, b], lr=0.1)
a.grad = torch.zeros(2)
adam.step()
print(a.data, len(adam.state), a in adam.state, b in adam.state)
c = torch.ones(1)
opt = torch.optim.SGD([c], lr=1.0)
c.grad = torch.ones(1)
opt.step()
print(c)
