"""Writing to a view of a non-leaf changes the history of its base."""
import torch

x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
base = x.clone()
print(base.grad_fn)
v = base[1:3]
print(v.grad_fn)
v.mul_(10)
print(base.grad_fn, v.grad_fn)
print(base)
out = (base * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum()
out.backward()
print(x.grad)

x.grad = None
base = x * 1
v = base.view(2, 2)
s = v[0]
base.mul_(5)
print(v.grad_fn.name(), s.grad_fn.name())
print(s)
s.sum().backward()
print(x.grad)

x.grad = None
base = x * 1
first, rest = base[0], base[1:]
first.copy_(rest[0] * 3)
rest.add_(first)
print(base)
base.pow(2).sum().backward()
print(x.grad)

a = torch.zeros(3)
p = torch.tensor([7.0], requires_grad=True)
print(a.requires_grad, a.is_leaf)
a[1:2].copy_(p)
print(a.requires_grad, a.is_leaf, a.grad_fn)
(a * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
print(p.grad)
