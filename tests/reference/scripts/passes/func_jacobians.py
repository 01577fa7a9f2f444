"""jacrev, jacfwd and hessian of torch.func."""

import torch
from torch.func import hessian, jacfwd, jacrev

f = lambda x: torch.stack([x.prod(), x.sum() ** 2])
x = torch.tensor([1.0, 2.0, 3.0])
print(jacrev(f)(x))
print(torch.allclose(jacrev(f)(x), jacfwd(f)(x)))
print(hessian(lambda x: (x**3).sum())(x))
print(torch.allclose(jacfwd(jacrev(lambda x: x.prod()))(x), hessian(lambda x: x.prod())(x)))
g = lambda a, b: a * b.sum()
print(jacrev(g, argnums=(0, 1))(x, x))
print(jacrev(lambda d: {"out": d["a"] * 2})({"a": x}))
