"""Operations without derivative: their results do not require grad, or backward refuses."""

import torch

x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
for name, y in {
    "argmax": x.argmax(),
    "argsort": x.argsort(),
    "gt": x > 1,
    "eq": x == 1,
    "long": x.long(),
    "isnan": x.isnan(),
    "sign": x.sign(),
    "floor": x.floor(),
    "round": x.round(),
    "ceil": x.ceil(),
    "trunc": x.trunc(),
    "frac": x.frac(),
    "floor_div": x // 2,
    "fmod": x.fmod(2),
    "remainder": x % 2,
    "zeros_like": torch.zeros_like(x),
    "ones_like": torch.ones_like(x),
    "sort": x.sort()[1],
    "nonzero": x.nonzero(),
    "count": (x > 1).sum(),
    "bool": x.bool(),
    "any": x.any(),
}.items():
    print(name, y.requires_grad, y.dtype, None if y.grad_fn is None else y.grad_fn.name())
y = x.sign().sum() + x.floor().sum()
y.backward()
print(x.grad)
a = torch.tensor([1.0, 5.0], requires_grad=True)
try:
    torch.nextafter(a, a + 1).sum().backward()
except (RuntimeError, NotImplementedError) as e:
    print(type(e).__name__, "not implemented" in str(e))
