"""A second backward pass adds to the gradient of the first."""

import torch

w = torch.tensor([3.0], requires_grad=True)
(w * 2).backward()
print(w.grad)
(w * 2).backward()
print(w.grad)
w.grad.zero_()
(w * w).sum().backward()
print(w.grad, w.grad.requires_grad)
