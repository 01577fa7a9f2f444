"""torch.func.grad and grad_and_value."""
import torch
from torch.func import grad, grad_and_value, vjp, jvp


def f(x, y=2.0):
    return (x ** 3).sum() * y


x = torch.tensor([1.0, 2.0])
print(grad(f)(x), grad(f)(x, 3.0), grad(f)(x, y=4.0))
g, v = grad_and_value(f)(x)
print(g, v, g.requires_grad, v.requires_grad)
print(grad(grad(lambda a: a.sin()))(torch.tensor(0.5)))
print(grad(grad(grad(lambda a: a ** 4)))(torch.tensor(2.0)))
print(grad(lambda a, b: (a * b).sum(), argnums=1)(x, x * 3))
print(grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(x, x * 3))
print(grad(lambda a, b: (a * b).sum(), argnums=-1)(x, x * 3))
print(grad(lambda a: ((a * a).sum(), {"aux": a * 2}), has_aux=True)(x))
print(grad_and_value(lambda a: ((a * a).sum(), (a * 2, [a])), has_aux=True)(x))
print(grad(lambda d: (d["w"] * x + d["b"]).sum())({"w": torch.ones(2), "b": torch.zeros(1)}))
print(grad(lambda t: (t[0] * t[1][0]).sum())((x, [x * 2])))
for bad in (lambda: grad(lambda a: a * 2)(x), lambda: grad(lambda a: 3.0)(x), lambda: grad(f)(torch.tensor([1, 2])),
            lambda: grad(f, argnums=5)(x), lambda: grad(f, argnums=(0, 0))(x), lambda: grad(f)(3.0), lambda: grad(f)(),
            lambda: grad(lambda a: (a.sum(), a))(x), lambda: grad(lambda a: a.sum(), has_aux=True)(x),
            lambda: grad(lambda a: a.sum().backward())(x), lambda: grad(lambda a: a.sum().item())(x)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
r = torch.tensor([1.0, 2.0], requires_grad=True)
g = grad(f)(r)
print(g, g.requires_grad)
print(torch.autograd.grad(g.sum(), r))
print(grad(lambda a: torch.ones(()) * 2)(x), grad(lambda a: a.detach().sum())(x))
with torch.no_grad():
    print(grad(f)(x), grad(lambda a: (a * r).sum())(x).requires_grad)


def inner_no_grad(a):
    with torch.no_grad():
        c = a ** 2
    return (a - c).sum()


print(grad(inner_no_grad)(x))
w = torch.zeros(2)


def side(a):
    b = a.clone()
    b[0] = 5.0
    b.mul_(a)
    return b.sum()


print(grad(side)(x))
