"""torch.func.grad and grad_and_value, nested and with aux."""

import torch
from torch.func import grad, grad_and_value

print(grad(lambda x: torch.sin(x))(torch.tensor(0.0)))
print(grad(grad(lambda x: x**3))(torch.tensor(2.0)))
print(grad(lambda x: (x**2).sum())(torch.tensor([1.0, 2.0])))


def f(x, y):
    return (x * y**2).sum()


x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
print(grad(f, argnums=1)(x, y))
print(grad(f, argnums=(0, 1))(x, y))
print(grad_and_value(f)(x, y))
print(grad(lambda x: ((x**2).sum(), {"double": x * 2}), has_aux=True)(x))
params = {"w": torch.tensor([1.0, -1.0]), "b": torch.tensor(0.5)}
print(grad(lambda p, v: ((p["w"] * v).sum() + p["b"]) ** 2)(params, x))
g = grad(f)(x, y)
print(g.requires_grad)
try:
    grad(lambda x: x * 2)(x)
except RuntimeError as e:
    print(type(e).__name__)
