"""Writes to nested views in several orders give the gradients of the same arithmetic."""
import torch

orders = ["abc", "bca", "cab", "acb"]
for order in orders:
    x = torch.arange(1.0, 7.0, requires_grad=True)
    y = x * 1
    a = y.view(2, 3)
    b = a[1]
    c = b[:2]
    for step in order:
        {"a": lambda: a.mul_(2), "b": lambda: b.add_(10), "c": lambda: c.pow_(2)}[step]()
    (y * torch.arange(6.0)).sum().backward()
    print(order, y.tolist(), x.grad.tolist(), c._version)
