"""Slices: bounds, steps, empty, None, Ellipsis."""

import torch

x = torch.arange(10)
for s in (
    slice(None),
    slice(2, 5),
    slice(-3, None),
    slice(None, -3),
    slice(0, 100),
    slice(-100, 3),
    slice(5, 2),
    slice(1, None, 3),
    slice(None, None, 11),
    slice(9, 9),
):
    y = x[s]
    print(
        s,
        y.tolist(),
        y.stride(),
        y.storage_offset() if len(y) else None,
        y.shape,
        y.is_contiguous(),
    )
z = torch.arange(24.0).view(2, 3, 4)
print(
    z[:, None].shape,
    z[None, :, None, 1].shape,
    z[..., None].shape,
    z[..., 0].stride(),
    z[0, ..., 1:3].stride(),
    z[..., 1:2, 1].shape,
)
print(
    z[:, :0].shape,
    z[2:].shape,
    z[0:0, 1].shape,
    z[1, 1, 1],
    z[1, 1, 1].shape,
    z[()].shape,
    z[()] is z,
)
print(z[torch.tensor(0)].shape, z[torch.tensor(0) : torch.tensor(1)].shape)
for bad in (slice(None, None, 0), slice(None, None, -2), slice(1.0, 2)):
    try:
        print(z[bad].shape)
    except Exception as e:
        print(bad, type(e).__name__)
y = z[:, ::2, 1::2]
print(y, y.stride(), y.storage_offset(), y._base is z, y.is_contiguous())
y.zero_()
print(z)
z[..., -1] = torch.tensor([[1], [2]])
print(z)
z[:, 1] = 9
z[0, 0, :2] = torch.tensor([7, 8])
z[1:, :, 0] -= 100
print(z, z._version)
