"""torch.func.vjp and jvp."""

import torch
from torch.func import jvp, vjp

x = torch.tensor([1.0, 2.0, 3.0])
out, pull = vjp(lambda v: v**2, x)
print(out, pull(torch.ones(3)))
out, pull = vjp(lambda a, b: (a * b, a.sum()), x, x + 1)
print(out)
print(pull((torch.ones(3), torch.tensor(10.0))))
out, tangent = jvp(lambda v: v.sin().sum(), (x,), (torch.tensor([1.0, 0.0, 0.0]),))
print(out, tangent)
out, tangent = jvp(lambda a, b: a * b, (x, x), (torch.ones(3), torch.zeros(3)))
print(tangent)
out, pull, aux = vjp(lambda v: (v * 2, v.sum()), x, has_aux=True)
print(aux, pull(torch.ones(3)))
try:
    vjp(lambda v: (v * 2, v.shape), x, has_aux=True)
except RuntimeError as e:
    print(type(e).__name__)
