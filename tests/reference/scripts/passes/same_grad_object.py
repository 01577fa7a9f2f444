"""Whether .grad stays the same object from pass to pass."""

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
(w * 2).sum().backward()
first = w.grad
(w * 2).sum().backward()
print(first is w.grad, first)
w.grad.zero_()
print(first)
version = w.grad._version
(w * 5).sum().backward()
print(w.grad._version > version, first)

# under create_graph a new tensor is made
w.grad = None
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    (w**2).sum().backward(create_graph=True)
    first = w.grad
    (w**2).sum().backward(create_graph=True)
print(first is w.grad, first.requires_grad, w.grad)
w.grad = torch.zeros(2)
held = w.grad
(w * 3).sum().backward()
print(held, held is w.grad)
seed = torch.tensor([1.0, 1.0])
w.grad = None
w.backward(seed)
print(w.grad is seed, w.grad.data_ptr() == seed.data_ptr())
