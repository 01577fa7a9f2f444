"""Wrapping a NumPy computation in a custom function."""

import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        order = np.argsort(a, kind="stable")
        ctx.order = torch.from_numpy(np.argsort(order))
        return torch.from_numpy(a[order].copy())

    @staticmethod
    def backward(ctx, g):
        return g[ctx.order]


x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
y = NumpySort.apply(x)
print(y)
(y * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
print(x.grad)
s, i = torch.sort(x)
x.grad = None
(s * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
print(x.grad, i)
