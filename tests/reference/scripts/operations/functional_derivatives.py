"""jacobian, hessian, vjp, jvp, hvp, vhp and torch.func on ordinary functions."""

import torch
from torch.autograd.functional import hessian, hvp, jacobian, jvp, vhp, vjp

x = torch.tensor([1.0, 2.0, 3.0])
f = lambda t: torch.stack([t.prod(), (t**2).sum(), t[0] * t.exp()[1]])
s = lambda t: (t**3).sum() + t.prod()
print(jacobian(f, x), hessian(s, x))
print(
    vjp(f, x, torch.tensor([1.0, 0.0, 2.0])),
    jvp(f, x, torch.ones(3)),
    hvp(s, x, torch.ones(3)),
    vhp(s, x, torch.ones(3)),
)
print(
    jacobian(lambda a, b: a * b, (x, x * 2)), hessian(lambda a, b: (a * b).sum(), (x[:1], x[1:2]))
)
print(
    jacobian(f, x, create_graph=True).requires_grad,
    jacobian(f, x, vectorize=True).shape,
    jacobian(lambda t: torch.ones(2), x),
)
from torch.func import (
    grad,
    hessian as fh,
    jacfwd,
    jacrev,
    vmap,
    vjp as fvjp,
    jvp as fjvp,
    grad_and_value,
)

print(
    grad(s)(x), grad(grad(lambda t: t**4))(torch.tensor(2.0)), jacrev(f)(x), jacfwd(f)(x), fh(s)(x)
)
print(
    vmap(lambda t: t.sum())(torch.ones(2, 3)),
    vmap(torch.dot)(torch.ones(2, 3), torch.ones(2, 3)),
    vmap(grad(lambda t: t**2))(x),
    grad_and_value(s)(x),
)
out, pull = fvjp(f, x)
print(out, pull(torch.ones(3)))
print(fjvp(f, (x,), (torch.ones(3),)), grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(x, x))
try:
    jacobian(f, x, strict=True)
    jacobian(lambda t: torch.ones(2), x, strict=True)
except RuntimeError as error:
    print(type(error).__name__)
