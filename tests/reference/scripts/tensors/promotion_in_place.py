"""In place the result must fit the dtype that is there."""

import torch

x = torch.ones(3, dtype=torch.int64)
for op in ("x += 1.5", "x /= 2", "x *= 2.0", "x += 1j", "x -= True"):
    x = torch.ones(3, dtype=torch.int64)
    try:
        exec(op)
        print(op, x)
    except RuntimeError as err:
        print(op, type(err).__name__, "can't be cast" in str(err))
f = torch.ones(3)
f += torch.ones(3, dtype=torch.float64)
print(f.dtype)
f *= torch.tensor([1, 2, 3])
print(f, f.dtype)
h = torch.ones(2, dtype=torch.float16)
h += 1000.5
print(h)
b = torch.tensor([True, False])
b |= torch.tensor([False, True])
print(b)
try:
    b += 1
    print(b)
except RuntimeError as err:
    print(type(err).__name__)
u = torch.tensor([250, 3], dtype=torch.uint8)
u += 10
print(u)
u -= 20
print(u)
