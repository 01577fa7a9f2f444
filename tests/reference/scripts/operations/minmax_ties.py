"""Gradients at ties of maximum, max, amax, clamp and their kin."""

import torch


def show(f, *inputs):
    leaves = [torch.tensor(i, dtype=torch.float64, requires_grad=True) for i in inputs]
    out = f(*leaves)
    if isinstance(out, tuple):
        out = out[0]
    out.sum().backward()
    print(out.detach(), out.grad_fn.name(), [l.grad + 0 for l in leaves])


two = [1.0, 2.0, 3.0], [1.0, 3.0, 2.0]
for f in [torch.maximum, torch.minimum, torch.fmax, torch.fmin, torch.max, torch.min]:
    show(f, *two)
tied = [[2.0, 5.0, 5.0], [5.0, 1.0, 5.0]]
for f in [torch.max, torch.min, torch.amax, torch.amin]:
    show(f, tied)
show(lambda x: x.max(dim=1), tied)
show(lambda x: x.max(0, keepdim=True), tied)
show(lambda x: x.amax(dim=(0, 1)), tied)
show(lambda x: x.amin(1, True), tied)
show(lambda x: x.aminmax().max, tied)
show(lambda x: x.aminmax(dim=1).max, tied)
show(torch.median, [3.0, 1.0, 3.0, 2.0])
show(lambda x: x.median(dim=-1), tied)
show(lambda x: x.clamp(2, 5), tied)
show(lambda x, lo: torch.clamp(x, lo), [1.0, 2.0, 3.0], [2.0, 2.0, 2.0])
show(lambda x: x.clip(max=2.0), [1.0, 2.0, 3.0])
show(lambda x: x.clamp(5, 2), [1.0, 3.0, 6.0])
show(torch.relu, [-1.0, 0.0, 1.0])
show(torch.abs, [-1.0, 0.0, 1.0])
show(torch.sgn, [-1.0, 0.0, 1.0])
show(lambda x: x.norm(), [0.0, 0.0])
show(lambda x: x.norm(1), [0.0, 2.0])
show(lambda x: x.norm(float("inf")), [2.0, -2.0])
show(lambda x: x.cummax(0), [1.0, 3.0, 3.0, 2.0])
show(lambda x: x.topk(2), [1.0, 3.0, 3.0, 2.0])
