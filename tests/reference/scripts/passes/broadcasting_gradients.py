"""Gradients of broadcast operands are summed back to their shape."""

import torch

a = torch.ones(3, 1, requires_grad=True)
b = torch.ones(1, 4, requires_grad=True)
c = torch.tensor(2.0, requires_grad=True)
weights = torch.arange(12.0).reshape(3, 4)
((a + b) * c * weights).sum().backward()
print(a.grad, a.grad.shape)
print(b.grad, b.grad.shape)
print(c.grad, c.grad.shape)

bias = torch.zeros(5, requires_grad=True)
x = torch.arange(10.0).reshape(2, 5)
(x * (x + bias)).sum().backward()
print(bias.grad)

lead = torch.ones(2, requires_grad=True)
out = lead.expand(3, 2)
out.backward(torch.arange(6.0).reshape(3, 2))
print(lead.grad)

z = torch.zeros(0, 3, requires_grad=True)
r = torch.ones(3, requires_grad=True)
(z + r).sum().backward()
print(z.grad.shape, r.grad)
