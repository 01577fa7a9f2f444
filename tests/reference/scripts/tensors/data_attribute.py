""".data: the same memory, outside the graph."""

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
d = w.data
print(d, d.requires_grad, d.is_leaf, d.data_ptr() == w.data_ptr(), d is w)
d[0] = 10
print(w)
w.data -= 1
print(w, w.is_leaf, w.requires_grad)
w.data = torch.tensor([5.0, 6.0, 7.0])
print(w, w.shape, w.requires_grad)
(w * w).sum().backward()
print(w.grad)
v = w._version
w.data.add_(1)
print(w._version == v, w)
y = w.exp()
y.data.zero_()
y.sum().backward()
print(w.grad)
try:
    w.data = [1, 2]
except TypeError as err:
    print(type(err).__name__)
w.data = w.data.double()
print(w.dtype)
