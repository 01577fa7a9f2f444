"""Outputs with exactly one element need no gradient, whatever their number of dimensions."""

import torch

w = torch.tensor([[2.0, -1.0], [0.5, 4.0]], requires_grad=True)
for shape in [(), (1,), (1, 1), (1, 1, 1)]:
    w.grad = None
    out = (w**2).sum().reshape(shape)
    out.backward()
    print(tuple(out.shape), w.grad.tolist())

empty = torch.zeros(0, requires_grad=True)
try:
    (empty * 2).backward()
except RuntimeError as e:
    print("empty:", type(e).__name__)
(empty * 2).backward(torch.zeros(0))
print(empty.grad, empty.grad.shape)
empty.grad = None
(empty * 2).sum().backward()
print(empty.grad, empty.sum())
