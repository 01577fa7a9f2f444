"""Gradients are summed back to the broadcast operand's shape."""

import torch

a = torch.ones(3, 1, requires_grad=True)
b = torch.ones(4, requires_grad=True)
c = torch.ones((), requires_grad=True)
y = (a * 2 + b * 3) * c
print(y.shape, y.grad_fn)
y.sum().backward()
print(a.grad, b.grad, c.grad)
for f in (torch.add, torch.mul, torch.maximum, torch.atan2, torch.pow, torch.where):
    u = torch.rand(2, 1, 3, generator=torch.Generator().manual_seed(0)).requires_grad_()
    v = torch.full((5, 1), 2.0, requires_grad=True)
    w = f(u > 0.5, u, v) if f is torch.where else f(u, v)
    w.sum().backward()
    print(f.__name__, w.shape, u.grad.shape, v.grad.shape, v.grad.sum())
z = torch.zeros(2, 3)
z += torch.tensor([1.0, 2.0, 3.0])
print(z)
for bad in [
    lambda: torch.ones(2).add_(torch.ones(2, 2)),
    lambda: torch.ones(2, 3) + torch.ones(2),
    lambda: torch.ones(1, 2).mul_(torch.ones(2, 2)),
]:
    try:
        bad()
    except RuntimeError as error:
        print(type(error).__name__)
e = torch.ones(0, 1, requires_grad=True)
f = torch.ones(1, 3, requires_grad=True)
(e * f).sum().backward()
print(e.grad, f.grad, (e + f).shape, (torch.ones(0) + torch.ones(1)).shape)
x = torch.ones(3, requires_grad=True)
x.expand(2, 3).sum().backward()
print(x.grad)
x.grad = None
x.view(3, 1).expand(-1, 4).pow(2).sum().backward()
print(x.grad, x.sum_to_size(1), x.expand(2, 3).sum_to_size(3))
p, q = torch.broadcast_tensors(x, torch.zeros(2, 1))
print(p.stride(), p.grad_fn.name(), q.stride(), torch.broadcast_shapes((1,), (3, 1), ()))
