"""Counting nodes and edges, and listing leaves by an iterative walk."""

import torch
from torch import nn


def analyse(tensor):
    seen, edges, leaves, stack = set(), 0, [], [tensor.grad_fn]
    while stack:
        fn = stack.pop()
        if fn in seen:
            continue
        seen.add(fn)
        if hasattr(fn, "variable"):
            leaves.append(fn.variable)
        for nxt, _ in fn.next_functions:
            if nxt is not None:
                edges += 1
                stack.append(nxt)
    return len(seen), edges, leaves


x = torch.ones(3, requires_grad=True)
y = x * 2
z = (y + y * y).sum()
n, e, leaves = analyse(z)
print(n, e, leaves[0] is x)

net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
n, e, leaves = analyse(net(torch.ones(2, 3)).sum())
print(n, e, sorted(tuple(l.shape) for l in leaves))
print({id(l) for l in leaves} == {id(p) for p in net.parameters()})
