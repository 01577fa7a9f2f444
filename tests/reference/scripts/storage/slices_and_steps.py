"""Slicing: negative bounds, steps, empty results, None, Ellipsis."""
import torch

x = torch.arange(10)
for s in ["x[2:5]", "x[-3:]", "x[:-7]", "x[::3]", "x[1:8:2]", "x[5:2]", "x[20:]", "x[-100:2]", "x[...]", "x[None, 2:4]", "x[:, None].shape",
          "x[3:4].shape", "x[3].shape", "x[slice(1, 3)]", "x[torch.tensor(2):torch.tensor(4)]"]:
    y = eval(s)
    print(s, y, y.storage_offset() if isinstance(y, torch.Tensor) and len(y) else "")
m = torch.arange(24).view(2, 3, 4)
for s in ["m[1, 2]", "m[..., 0]", "m[:, -1]", "m[0, ..., 1:3]", "m[:, :, ::2]", "m[None, ..., None].shape", "m[1:, 1:, 1:]", "m[0][1][2]",
          "m[:, 1:1].shape", "m[-1, -1, -1]", "m[(0, 1)]", "m[:, [0, 2]].shape", "m[..., :-1].shape"]:
    print(s, eval(s))
try:
    x[::-1]
except ValueError as e:
    print(type(e).__name__)
try:
    x[::0]
except (ValueError, RuntimeError) as e:
    print(type(e).__name__)
