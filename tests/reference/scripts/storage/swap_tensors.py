"""torch.utils.swap_tensors exchanges two tensors' insides."""

import torch
from torch.utils import swap_tensors

a = torch.arange(3.0)
b = torch.ones(2, 2, dtype=torch.float64, requires_grad=True)
ia, ib = id(a), id(b)
swap_tensors(a, b)
print(a, b)
print(
    id(a) == ia, id(b) == ib, a.dtype, b.dtype, a.requires_grad, b.requires_grad, a.shape, b.shape
)
c = torch.zeros(2)
c.tag = "c"
d = torch.ones(2)
swap_tensors(c, d)
print(hasattr(c, "tag"), d.tag, c, d)
w = torch.nn.Parameter(torch.zeros(2))
g = torch.nn.Parameter(torch.ones(2))
w.grad = torch.full((2,), 5.0)
swap_tensors(w, g)
print(w, g, w.grad, g.grad, type(w).__name__)
