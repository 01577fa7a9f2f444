"""dtype=, keepdim and 0-d results over a grid of reductions and shapes."""

import torch

for shape in [(), (1,), (3,), (2, 3), (2, 1, 3)]:
    n = 1
    for s in shape:
        n *= s
    x = (torch.arange(n, dtype=torch.float32) - 1).view(shape).requires_grad_()
    for name in "sum mean prod amax amin std var norm logsumexp nansum nanmean median max min all any argmax count_nonzero cumsum softmax sort".split():
        for args, kw in [((), {}), ((-1,), {}), ((0,), {"keepdim": True}), ((), {"dim": 0})]:
            if name in ("count_nonzero", "cumsum", "softmax", "sort") and "keepdim" in kw:
                continue
            try:
                r = getattr(x, name)(*args, **kw)
                r = r[0] if isinstance(r, tuple) else r
                print(
                    shape,
                    name,
                    args,
                    kw,
                    tuple(r.shape),
                    r.dtype,
                    r.grad_fn.name() if r.grad_fn else None,
                    r.detach().flatten()[:3].tolist(),
                )
            except Exception as error:
                print(shape, name, args, kw, type(error).__name__)
