"""Assignment into a tensor and the gradients of both sides."""

import torch

base = torch.zeros(3, 3, dtype=torch.float64)
v = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
s = torch.tensor(4.0, dtype=torch.float64, requires_grad=True)
base[0] = v
print(base.requires_grad, base.grad_fn, base.is_leaf, base._version)
base[1, 1:] = v[:2] * s
base[:, 0] = s
base[[0, 2], [2, 2]] = v[1:]
base[base == 0] = s * v[0]
print(base, base.grad_fn)
(base * torch.arange(9.0, dtype=torch.float64).view(3, 3)).sum().backward()
print(v.grad, s.grad)
x = torch.ones(4, requires_grad=True)
y = x.clone()
y[1] = y[0] * 2
y[2] = y[1] * 3
y[3] = y[2] * y[1]
print(y)
y[3].backward()
print(x.grad)
z = x.clone()
z[1:] = z[:-1].clone()
print(z, z.grad_fn)
z.sum().backward()
print(x.grad)
z = x.clone()
z[0] = True
z[1] = 5
z[2] = 2.5
print(z)
q = torch.zeros(2)
q[0] = torch.tensor(1.5, dtype=torch.float64)
q[1] = torch.tensor([3])
print(q, q.dtype)
i = torch.zeros(3, dtype=torch.long)
i[0] = 2.9
i[1] = torch.tensor(-1.5)
print(i)
