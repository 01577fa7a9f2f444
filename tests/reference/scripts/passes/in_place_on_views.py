"""In-place changes of views reach the base's history, and the other way round."""

import torch

a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
b = a.clone()
row = b[0]
row.mul_(10)
print(b.grad_fn.name(), row.grad_fn.name())
b.sum().backward()
print(a.grad)

a.grad = None
b = a.clone()
col = b[:, 1]
b.mul_(3)
print(col.grad_fn.name())
col.sum().backward()
print(a.grad)

a.grad = None
b = a * 2
v = b.view(-1)
v[0] = 0
w = b.t()
w += 1
(v * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
print(a.grad, v)

a.grad = None
b = torch.zeros(2, 2)
b[0].copy_(a[1])
print(b.requires_grad, b.grad_fn.name())
b.diagonal().mul_(a.diagonal())
b.sum().backward()
print(a.grad)

base = torch.ones(3)
view = base[:2]
view.mul_(torch.tensor([2.0, 3.0], requires_grad=True))
print(base.requires_grad, view.requires_grad, base.grad_fn.name())
