"""A gradient penalty by backward(create_graph=True), then backward of its norm."""

import torch
import warnings

warnings.filterwarnings("ignore")
w = torch.tensor([1.0, -2.0], requires_grad=True)
x = torch.tensor([0.5, 1.5], requires_grad=True)
out = (w * x**2).sum()
out.backward(create_graph=True)
print(x.grad, w.grad)
penalty = (x.grad**2).sum()
w.grad = None
penalty.backward()
print(w.grad)
print(x.grad)
