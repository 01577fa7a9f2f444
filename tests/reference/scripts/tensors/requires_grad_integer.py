"""Integer and bool tensors cannot require grad."""

import torch

for dtype in (torch.int32, torch.int64, torch.uint8, torch.bool):
    try:
        torch.ones(2, dtype=dtype, requires_grad=True)
    except RuntimeError as err:
        print(dtype, type(err).__name__, "floating point" in str(err))
x = torch.arange(3)
try:
    x.requires_grad = True
except RuntimeError as err:
    print(type(err).__name__, "floating point" in str(err))
try:
    x.requires_grad_()
except RuntimeError as err:
    print(type(err).__name__, "floating point" in str(err))
print(x.requires_grad, x.float().requires_grad_().requires_grad)
y = torch.ones(2, requires_grad=True)
print(y.long().requires_grad, y.long().is_leaf, (y > 0).requires_grad, (y > 0).dtype)
print(y.argmax().requires_grad, y.to(torch.int32).grad_fn)
z = torch.tensor([1 + 2j], requires_grad=True)
print(z, z.dtype, z.is_leaf)
