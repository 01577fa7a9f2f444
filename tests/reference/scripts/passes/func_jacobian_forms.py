"""jacrev, jacfwd, hessian: structures, argnums, aux, chunking."""
import torch
from torch.func import jacrev, jacfwd, hessian, vmap

x = torch.tensor([1.0, 2.0], dtype=torch.float64)
y = torch.tensor([[0.5], [1.5]], dtype=torch.float64)


def f(x, y):
    return x.sin() * y.sum(), (x @ y).exp()


for jac in (jacrev, jacfwd):
    print(jac(torch.sin)(x))
    print([j + 0.0 for j in jac(f)(x, y)])  # no zeros below zero
    print(jac(f, argnums=1)(x, y)[0].shape, jac(f, argnums=1)(x, y)[1].shape)
    print(jac(f, argnums=(0, 1))(x, y)[1])
    print(jac(lambda a: (a ** 2, {"aux": a.sum()}), has_aux=True)(x))
    print(jac(lambda a: {"s": a.sum(), "p": a.prod()})(x))
    print(jac(lambda d: d["a"] * 2)({"a": x}))
    print(jac(lambda a: a.sum())(x), jac(lambda a: torch.outer(a, a))(x).shape)
    print(jac(jac(lambda a: a.prod()))(x))
    for bad in (lambda: jac(lambda a: 3.0)(x), lambda: jac(torch.sin, argnums=3)(x),
                lambda: jac(lambda a: (a, 3))(x), lambda: jac(torch.sin)()):
        try:
            print(bad())
        except Exception as e:
            print(type(e).__name__)
print(jacrev(torch.sin, chunk_size=1)(x), jacrev(torch.sin, chunk_size=None)(x))
try:
    print(jacrev(torch.sin, chunk_size=0)(x))
except ValueError as e:
    print(type(e).__name__)
print(jacfwd(torch.sin, randomness="same")(x))
print(hessian(lambda a: (a ** 3).sum())(x))
print(hessian(lambda a, b: (a.sum() * b ** 2).sum(), argnums=(0, 1))(x, y)[0][1].shape)
print(vmap(jacrev(torch.sin))(torch.stack([x, x * 2])))
print(vmap(hessian(lambda a: a.prod()))(torch.stack([x, x * 2])))
r = x.clone().requires_grad_()
j = jacrev(lambda a: a ** 3)(r)
print(j, torch.autograd.grad(j.sum(), r))
print(jacrev(lambda a: torch.ones(2))(x), jacfwd(lambda a: torch.ones(2))(x))
