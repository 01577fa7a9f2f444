"""Gradients of broadcast operands have the operands' shapes."""
import torch

shapes = [((), (3,)), ((1,), (3,)), ((3, 1), (1, 4)), ((2, 3), (3,)), ((2, 1, 3), (4, 1)), ((1, 1), ()), ((0, 3), (1, 3)), ((5, 0), (0,)),
          ((1, 0), (2, 1)), ((2, 3), (2, 3))]
for sa, sb in shapes:
    a = torch.full(sa, 2.0, requires_grad=True)
    b = torch.full(sb, 3.0, requires_grad=True)
    for f in (torch.add, torch.sub, torch.mul, torch.div, torch.pow, torch.maximum, torch.atan2, torch.hypot):
        y = f(a, b)
        ga, gb = torch.autograd.grad(y.sum(), (a, b))
        print(f.__name__, tuple(y.shape), ga.tolist(), gb.tolist(), ga.shape == a.shape, gb.shape == b.shape)
for sa, sb in (((2,), (3,)), ((2, 3), (2,)), ((4, 1), (3, 2, 1, 5, 5))):
    try:
        print((torch.ones(sa, requires_grad=True) * torch.ones(sb)).shape)
    except RuntimeError as e:
        print(type(e).__name__)
x = torch.ones(3, requires_grad=True)
y = torch.zeros(2, 3)
y += x
print(y.grad_fn)
y.sum().backward()
print(x.grad)
try:
    x.detach().clone().add_(torch.ones(2, 3))
except RuntimeError as e:
    print(type(e).__name__)
e = x.expand(4, 3)
e.sum().backward()
print(x.grad)
w = torch.where(torch.tensor([[True], [False]]), x, torch.zeros(2, 1))
w.sum().backward()
print(x.grad)
z = torch.broadcast_tensors(x, torch.ones(2, 1))[0]
print(z.grad_fn, z.shape)
print(torch.autograd.grad(z.sum(), x))
