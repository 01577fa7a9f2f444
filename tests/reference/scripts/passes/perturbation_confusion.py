"""Nested derivatives that must not be mixed up."""
import torch
from torch.func import grad, jvp, vjp

x = torch.tensor(1.0)
print(grad(lambda x: x * grad(lambda y: x + y)(torch.tensor(1.0)))(x))
print(grad(lambda x: x * grad(lambda y: x * y)(torch.tensor(2.0)))(torch.tensor(3.0)))


def d(f):
    return lambda x: jvp(f, (x,), (torch.ones_like(x),))[1]


print(d(lambda x: x * d(lambda y: x + y)(torch.tensor(1.0)))(x))
print(d(lambda x: x * d(lambda y: x * y * y)(torch.tensor(2.0)))(torch.tensor(3.0)))
print(d(d(d(torch.sin)))(torch.tensor(0.3)), -torch.cos(torch.tensor(0.3)))
print(grad(d(lambda x: x ** 4))(torch.tensor(2.0)), d(grad(lambda x: x ** 4))(torch.tensor(2.0)))
f = lambda x, y: x ** 2 * y + y ** 3
print(grad(grad(f, argnums=0), argnums=1)(torch.tensor(2.0), torch.tensor(3.0)), grad(grad(f, 1), 1)(torch.tensor(2.0), torch.tensor(3.0)))
a = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(4.0, requires_grad=True)
inner = lambda b: (a * b) ** 2
(gb,) = torch.autograd.grad(inner(b), b, create_graph=True)
print(gb, torch.autograd.grad(gb * a, (a, b)))
outs, pull = vjp(lambda x: vjp(torch.sin, x)[1](torch.ones(2))[0], torch.tensor([0.0, 1.0]))
print(outs, pull(torch.ones(2)))
y = torch.tensor(2.0, requires_grad=True)
z = grad(lambda t: t ** 3 * y)(torch.tensor(5.0))
print(z, z.requires_grad)
z.backward()
print(y.grad)
w = torch.tensor(2.0, requires_grad=True)
print(grad(lambda t: (t * w).detach() * t)(torch.tensor(5.0)).requires_grad)
tower = [torch.exp]
for _ in range(4):
    tower.append(grad(tower[-1]))
print([round(t(torch.tensor(0.5)).item(), 5) for t in tower])
