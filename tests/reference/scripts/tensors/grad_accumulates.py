"""Gradients add up until they are cleared."""

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
for step in range(3):
    loss = (w * torch.tensor([1.0, 10.0])).sum()
    loss.backward()
    print(step, w.grad.tolist())
first = w.grad
w.grad.zero_()
print(first, first is w.grad)
(w**2).sum().backward()
print(w.grad)
w.grad = None
(w**3).sum().backward()
print(w.grad, first)
held = w.grad.clone()
with torch.no_grad():
    w.grad *= 0.5
print(w.grad, held)
print(w.grad.requires_grad, w.grad.is_leaf, w.grad.grad)
