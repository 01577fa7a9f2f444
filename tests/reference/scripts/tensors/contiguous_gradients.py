"""Strides of gradients follow the leaf."""

import torch

x = torch.ones(2, 3).t().requires_grad_()
(x * torch.arange(6.0).view(3, 2)).sum().backward()
print(x.grad, x.grad.stride(), x.stride(), x.grad.is_contiguous())
y = torch.ones(2, 3, requires_grad=True)
y.t().contiguous().view(-1)[2:].sum().backward()
print(y.grad, y.grad.stride())
z = torch.ones(4, requires_grad=True)
z[::2].sum().backward()
print(z.grad)
e = torch.ones(1, 3).expand(4, 3).requires_grad_()
(e * 2).sum().backward()
print(e.grad.shape, e.grad.stride(), e.stride())
s = torch.tensor(2.0, requires_grad=True)
s.expand(3).sum().backward()
print(s.grad, s.grad.shape)
