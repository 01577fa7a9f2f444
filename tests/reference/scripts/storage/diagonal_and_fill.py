"""Diagonals as views: writing, gradients, fill_diagonal_."""

import torch

x = torch.zeros(3, 3)
x.diagonal().fill_(1)
x.diagonal(1).copy_(torch.tensor([2.0, 3.0]))
x.diagonal(offset=-2).add_(9)
print(x, x._version)
print(
    x.diagonal().stride(),
    x.diagonal(1).storage_offset(),
    x.diagonal(-1).storage_offset(),
    x.diagonal(3).shape if True else 0,
)
y = torch.arange(6.0).view(2, 3).requires_grad_()
z = y * 1
z.diagonal().mul_(10)
print(z, z.grad_fn)
z.sum().backward()
print(y.grad)
print(
    torch.diagonal_scatter(torch.zeros(3, 3), torch.arange(3.0)),
    torch.diag_embed(torch.arange(2.0)),
    torch.diag(torch.arange(3.0), 1).shape,
    torch.diag(x),
)
print(
    torch.select_scatter(torch.zeros(2, 2), torch.ones(2), 0, 1),
    torch.slice_scatter(torch.zeros(4), torch.ones(2), 0, 0, 4, 2),
    torch.zeros(4).slice_scatter(torch.ones(2), start=2),
)
a = torch.zeros(2, 2, requires_grad=True)
b = torch.ones(2, requires_grad=True)
o = torch.select_scatter(a, b, 1, 0)
print(o.grad_fn)
(o * torch.tensor([[1.0, 2], [3, 4]])).sum().backward()
print(a.grad, b.grad)
o = torch.diagonal_scatter(a, b)
print(o.grad_fn, o)
o = torch.slice_scatter(a, torch.ones(1, 2), 0, 1)
print(o.grad_fn, o)
print(
    torch.zeros(5, 2).fill_diagonal_(1),
    torch.zeros(5, 2).fill_diagonal_(1, wrap=True),
    torch.zeros(2, 3).fill_diagonal_(7.5),
)
print(torch.zeros(2, 2, 2).fill_diagonal_(1))
try:
    torch.zeros(3).fill_diagonal_(1)
except Exception as e:
    print(type(e).__name__)
try:
    torch.zeros(2, 2, 3).fill_diagonal_(1)
except Exception as e:
    print(type(e).__name__)
t = x.unfold(0, 2, 1)
print(t.shape, t.stride(), t._base is x)
m = torch.eye(3).requires_grad_()
m.trace().backward()
print(m.grad, m.diagonal().grad_fn, m.diagonal(dim1=-1, dim2=-2).shape)
