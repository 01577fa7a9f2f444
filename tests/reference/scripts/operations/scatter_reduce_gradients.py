"""Segment sums, means and maxima by scatter, with ties, and their gradients."""

import torch

x = torch.tensor([1.0, 3.0, 3.0, 2.0, 5.0], dtype=torch.float64, requires_grad=True)
seg = torch.tensor([0, 1, 1, 0, 2])
base = torch.tensor([1.5, 3.0, 0.0, 4.0], dtype=torch.float64, requires_grad=True)
for how in ("sum", "prod", "mean", "amax", "amin"):
    for include in (True, False):
        if how in ("amax", "amin") and not include:
            continue  # PyTorch counts the left-out element as a tie where it equals the result
        x.grad = base.grad = None
        y = base.scatter_reduce(0, seg, x, how, include_self=include)
        (y * torch.tensor([1.0, 10.0, 100.0, 1000.0], dtype=torch.float64)).sum().backward()
        print(how, include, y.detach(), x.grad, base.grad, y.grad_fn.name())
counts = torch.zeros(3).scatter_add_(0, seg, torch.ones(5))
sums = torch.zeros(3, dtype=torch.float64).index_add(0, seg, x)
z = torch.zeros(2, 3)
z.index_add_(1, torch.tensor([0, 0, 2]), torch.ones(2, 3), alpha=0.5)
print(z)
print(z)
for bad in [
    lambda: base.scatter_reduce(0, seg, x),
    lambda: base.scatter_reduce(0, seg.float(), x, "sum"),
    lambda: base.scatter_reduce(0, seg + 9, x, "sum"),
    lambda: base.scatter_add(0, seg, x.float()),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__)
onehot = torch.nn.functional.one_hot(seg, 3)
print(onehot, onehot.dtype, (onehot.double().T @ x))
