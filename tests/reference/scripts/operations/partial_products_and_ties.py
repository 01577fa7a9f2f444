"""Extrema, products and medians together on data with many equal elements."""

import torch

x = torch.tensor([[2.0, 2.0, 1.0], [0.0, 3.0, 3.0]], dtype=torch.float64, requires_grad=True)
for f in [
    lambda: x.prod(0) + x.amax(0),
    lambda: x.amax(1) * x.amin(1),
    lambda: x.max() - x.min(),
    lambda: (x / x.amax()).sum(1),
    lambda: torch.maximum(x[0], x[1]) * 2,
    lambda: x.clamp(1, 2).prod(1),
    lambda: x.sub(x.mean()).abs(),
    lambda: x.flatten().unique(return_counts=True)[1].double(),
    lambda: (x == x.amax(1, keepdim=True)).double(),
    lambda: x.softmax(1).amax(1),
    lambda: x.logsumexp(1) - x.amax(1),
    lambda: x.std(1) / x.mean(1),
    lambda: x.diff().prod(1),
    lambda: x.where(x > 1, x**2).sum(0),
]:
    x.grad = None
    y = f()
    if y.requires_grad:
        y.sum().backward()
    print(y.detach(), x.grad)
