"""Every way to say over which dims: positional, dim, axis, tuples, keepdim, keepdims, dtype."""

import torch

x = torch.arange(24, dtype=torch.float32).view(2, 3, 4)
print(
    x.sum(axis=1).shape,
    x.sum(1, True).shape,
    x.sum(dim=(0, -1)).shape,
    x.sum(axis=(0, 1), keepdims=True).shape,
    torch.sum(input=x, dim=2).shape,
    torch.sum(x, 0, keepdim=True).shape,
)
print(
    x.mean(axis=-1).shape,
    x.mean((0, 2), keepdim=True).shape,
    torch.mean(x, dim=[0]).shape,
    x.mean(dim=0, dtype=torch.float64).dtype,
)
print(
    x.max(axis=1)[0].shape,
    x.max(dim=1, keepdim=True).values.shape,
    torch.max(x, 2, True)[1].shape,
    x.amax((0, 1)).shape,
    x.amin(axis=0).shape if False else "",
)
print(
    x.argmax(),
    x.argmax(1).shape,
    x.argmax(dim=1, keepdim=True).shape,
    x.argmax(axis=2).shape,
    torch.argmin(x, 0).shape,
    x.argmax(keepdim=True).shape,
)
print(
    x.any(),
    x.all(1).shape,
    x.any(dim=(0, 1)).shape,
    torch.all(x, axis=0).shape,
    x.bool().all(dim=-1, keepdim=True).shape,
)
print(
    x.std(axis=1).shape,
    x.var((0, 1), keepdim=True).shape,
    x.logsumexp((0, 1)),
    x.prod(axis=1).shape,
    x.norm(dim=1).shape,
    x.norm(2, (0, 1), True).shape,
    x.norm(p=1, dim=0, keepdim=True).shape,
)
print(
    x.cumsum(axis=1).shape,
    x.median(axis=0).values.shape,
    x.nansum((1, 2)),
    x.sum(dtype=torch.int64),
    x.int().sum(dtype=torch.float16),
    x.prod(0, dtype=torch.float64).dtype,
)
print(
    torch.logsumexp(x, dim=1, keepdim=True).shape,
    torch.count_nonzero(x, (0, 1)),
    x.unsqueeze(1).squeeze(axis=1).shape,
    torch.cat([x, x], axis=0).shape,
    torch.stack([x, x], axis=1).shape,
    x.flip(dims=(0,)).shape,
)
print(
    x.softmax(axis=1).shape if False else x.softmax(dim=1).shape,
    x.unbind(axis=1)[0].shape if False else "",
    x.index_select(axis=0, index=torch.tensor([1])).shape if False else "",
)
for bad in [
    lambda: x.sum(3),
    lambda: x.sum((0, 0)),
    lambda: x.sum(1.0),
    lambda: x.max((0, 1)),
    lambda: x.sum(dim="a"),
    lambda: x.mean(dim=5),
    lambda: x.sum(axis=1, dim=1),
    lambda: x.argmax((0, 1)),
    lambda: x.mean(dtype=torch.int64),
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
r = x.max(0)
print(
    type(r),
    r.values is r[0],
    len(r),
    isinstance(r, tuple),
    r._fields if hasattr(r, "_fields") else None,
)
print(x.aminmax(), torch.aminmax(x, dim=0, keepdim=True).min.shape)
o = torch.empty(3, 4)
oi = torch.empty(3, 4, dtype=torch.long)
torch.max(x, 0, out=(o, oi))
print(
    oi.sum(),
    torch.sum(x, 0, out=o) is o,
    torch.mean(x, dim=0, out=o)[0, 0],
    torch.amax(x, 0, out=o)[0],
)
