"""out=: the same object back, resizing, dtype refusals, requires_grad refusals."""

import torch

a = torch.tensor([1.0, 4.0, 9.0])
b = torch.tensor([2.0, 2.0, 2.0])
for f, args in [
    (torch.add, (a, b)),
    (torch.sub, (a, b)),
    (torch.mul, (a, 2)),
    (torch.div, (a, b)),
    (torch.pow, (a, 2)),
    (torch.sqrt, (a,)),
    (torch.exp, (a,)),
    (torch.sin, (a,)),
    (torch.neg, (a,)),
    (torch.abs, (a,)),
    (torch.maximum, (a, b)),
    (torch.clamp, (a, 2, 5)),
    (torch.where, (a > 2, a, b)),
    (torch.lerp, (a, b, 0.5)),
    (torch.addcmul, (a, b, b)),
    (torch.cumsum, (a, 0)),
    (torch.flip, None),
    (torch.sigmoid, (a,)),
    (torch.atan2, (a, b)),
    (torch.fmod, (a, b)),
    (torch.remainder, (a, b)),
    (torch.floor_divide, (a, b)),
    (torch.round, (a,)),
    (torch.index_select, (a, 0, torch.tensor([0]))),
    (torch.gather, (a, 0, torch.tensor([1, 1]))),
    (torch.take, (a, torch.tensor([2]))),
    (torch.masked_select, (a, a > 2)),
    (torch.stack, ([a, b],)),
    (torch.hstack, ([a, b],)),
    (torch.outer, (a, b)),
    (torch.dot, (a, b)),
    (torch.logsumexp, (a, 0)),
    (torch.sum, (a, 0)),
    (torch.mean, (a, 0)),
    (torch.std, (a, 0)),
    (torch.prod, (a, 0)),
    (torch.norm, (a, 2, 0)),
    (torch.tril, (torch.ones(2, 2),)),
    (torch.diag, (a,)),
    (torch.arange, (3,)),
    (torch.zeros, (3,)),
    (torch.full, ((2,), 7.0)),
    (torch.eye, (2,)),
    (torch.linspace, (0, 1, 3)),
    (torch.mm, (torch.ones(2, 2), torch.eye(2))),
    (torch.mv, (torch.ones(2, 2), torch.ones(2))),
    (torch.matmul, (torch.ones(2, 2), torch.eye(2))),
    (torch.bmm, (torch.ones(1, 2, 2), torch.ones(1, 2, 2))),
    (torch.nonzero, (a,)),
    (torch.argsort, None),
    (torch.logit, (a / 10,)),
    (torch.nan_to_num, (a,)),
    (torch.heaviside, (a, b)),
    (torch.hypot, (a, b)),
    (torch.frac, (a,)),
    (torch.reciprocal, (a,)),
    (torch.diff, (a,)),
    (torch.kron, (a, b)),
    (torch.roll, None),
    (torch.inverse, (torch.eye(2),)),
    (torch.softmax, (a, 0)),
    (torch.log_softmax, (a, 0)),
    (torch.quantile, (a, 0.5)),
]:
    if args is None:
        continue
    o = torch.empty(0, dtype=torch.long) if f is torch.nonzero else torch.empty(0)
    try:
        r = f(*args, out=o)
        print(f.__name__, r is o, o)
    except Exception as error:
        print(f.__name__, type(error).__name__)
o = torch.empty(3, dtype=torch.float64)
print(torch.add(a, b, out=o), o.dtype)
i = torch.empty(3, dtype=torch.int64)
for bad in [
    lambda: torch.add(a, b, out=i),
    lambda: torch.add(a.requires_grad_(), b, out=torch.empty(3)),
    lambda: torch.add(b, b, out=torch.empty(3, requires_grad=True)),
    lambda: torch.add(b, b, out=[1]),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__)
with torch.no_grad():
    o = torch.empty(3)
    print(torch.mul(a, b, out=o), o.requires_grad)
