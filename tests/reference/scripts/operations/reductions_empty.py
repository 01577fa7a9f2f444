"""Reductions of nothing, of 0-d tensors, over empty dims and no dims."""

import torch

e = torch.empty(0)
m = torch.empty(2, 0, 3)
for name in "sum prod mean nansum nanmean std var norm logsumexp max min amax amin argmax argmin any all median nanmedian mode aminmax count_nonzero cumsum sort quantile".split():
    for t in (e, m):
        for args in ((), (0,), (1,)):
            try:
                r = getattr(t, name)(*args)
                print(
                    name,
                    args,
                    [tuple(q.shape) for q in r]
                    if isinstance(r, tuple)
                    else (tuple(r.shape), r.dtype, r.tolist()),
                )
            except Exception as error:
                print(name, args, type(error).__name__)
s = torch.tensor(3.0, requires_grad=True)
for name in (
    "sum prod mean amax amin logsumexp max min std var norm median mode cumsum sort argmax".split()
):
    for args in ((), (0,), (-1,), (1,)):
        try:
            r = getattr(s, name)(*args)
            print(name, args, r)
        except Exception as error:
            print(name, args, type(error).__name__)
x = torch.ones(2, 3, requires_grad=True)
print(
    x.sum(()),
    x.sum(dim=[]),
    x.mean(()),
    x.sum((0, 1)),
    x.sum([0], True),
    x.amax(()),
    x.sum(-2, keepdim=True).shape,
)
e2 = torch.empty(0, 3, requires_grad=True)
e2.sum().backward()
print(e2.grad)
