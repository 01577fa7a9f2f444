"""Shapes and structures that functional.jacobian and hessian return."""

import torch
from torch.autograd.functional import hessian, hvp, jacobian, jvp, vhp, vjp


def shapes(t):
    return tuple(t.shape) if isinstance(t, torch.Tensor) else type(t)(shapes(e) for e in t)


a, b, s = torch.ones(2, 3), torch.ones(3), torch.tensor(2.0)
print(
    shapes(jacobian(lambda a: a.sum(), a)),
    shapes(jacobian(lambda s: s * b, s)),
    shapes(jacobian(lambda s: s**2, s)),
)
print(shapes(jacobian(lambda a, b: (a @ b, b.sum()), (a, b))))
print(
    shapes(jacobian(lambda a, b: (a @ b,), (a, b))),
    shapes(jacobian(lambda b: (b,), b)),
    shapes(jacobian(lambda b: b, (b,))),
)
print(
    shapes(hessian(lambda a, b: (a @ b).pow(2).sum(), (a, b))), shapes(hessian(lambda s: s**3, s))
)
print(
    shapes(vjp(lambda a, b: a @ b, (a, b), torch.ones(2))),
    shapes(jvp(lambda b: (b, b.sum()), b, torch.ones(3))),
)
print(
    shapes(hvp(lambda b: b.pow(3).sum(), b, b)), shapes(vhp(lambda b: b.pow(3).sum(), (b,), (b,)))
)
print(shapes(jacobian(lambda b: torch.stack([b, b * 2]), b, vectorize=True)))
print(jacobian(lambda b: b.cumsum(0), b, strategy="forward-mode", vectorize=True))
for bad in (
    lambda: jacobian(lambda b: 1.0, b),
    lambda: jacobian(lambda b: [b], b),
    lambda: jacobian(lambda b: b, [1.0]),
    lambda: jvp(lambda b: b, b, torch.ones(2)),
    lambda: vjp(lambda b: b, b),
    lambda: hvp(lambda b: b, b, b),
    lambda: jacobian(lambda b: b, b, strategy="forward-mode"),
    lambda: jacobian(lambda b: b, b, strategy="sideways"),
):
    try:
        r = bad()
        print("fine", shapes(r))
    except Exception as e:
        print(type(e).__name__)
