"""zeros_like and its kin: shape, dtype, layout, flag."""

import torch

x = torch.arange(6, dtype=torch.float64).view(2, 3).requires_grad_()
for f in (torch.zeros_like, torch.ones_like, torch.empty_like, torch.rand_like, torch.randn_like):
    t = f(x)
    print(f.__name__, t.shape, t.dtype, t.requires_grad, t.is_leaf, t.stride())
print(torch.full_like(x, 2.5), torch.full_like(torch.arange(2), 7), torch.zeros_like(x, dtype=torch.int16))
print(torch.ones_like(x.t()).stride(), torch.zeros_like(x[:, ::2]).stride(), torch.ones_like(x[0].expand(4, 3)).stride())
print(torch.zeros_like(x, requires_grad=True), torch.ones_like(torch.tensor(True)))
try:
    torch.zeros_like([1, 2])
except TypeError as err:
    print(type(err).__name__)
with torch.no_grad():
    print(torch.ones_like(x, requires_grad=True).requires_grad)
