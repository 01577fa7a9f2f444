"""Tensors without elements and their gradients."""

import torch

x = torch.zeros(0, 3, requires_grad=True)
print(x, x.sum(), x.mean(), x.prod())
x.sum().backward()
print(x.grad, x.grad.shape)
print(torch.cat([x, torch.ones(2, 3)]).shape, (x @ torch.ones(3, 2)).shape, x.t().shape, x.view(3, 0).shape)
try:
    torch.zeros(0).max()
except RuntimeError as err:
    print(type(err).__name__)
print(torch.zeros(0).argmax() if False else "", torch.zeros(0, 3).max(dim=1).values.shape, torch.zeros(0).sum().item(), torch.zeros(0).norm())
print(torch.zeros(0).tolist(), list(torch.zeros(0)), torch.zeros(0).numel(), bool(torch.zeros(0).any()), bool(torch.zeros(0).all()))
y = torch.ones(3, requires_grad=True)
y[0:0].sum().backward()
print(y.grad, y[5:].shape, torch.stack([]) if False else "")
try:
    torch.stack([])
except RuntimeError as err:
    print(type(err).__name__)
print(torch.empty(0, 2).numpy().shape, torch.nn.Linear(2, 3)(torch.zeros(0, 2)).shape, torch.arange(0).dtype)
