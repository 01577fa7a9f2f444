"""Walking a graph through next_functions."""

import torch

a = torch.ones(2, requires_grad=True)
b = torch.ones(2, requires_grad=True)
c = torch.ones(2)
out = ((a * b + c).exp() - a).mean()


def walk(fn, depth=0):
    if fn is None:
        print("  " * depth + "None")
        return
    print("  " * depth + fn.name())
    for nxt, index in fn.next_functions:
        walk(nxt, depth + 1)


walk(out.grad_fn)
print(type(out.grad_fn).__name__)
print(out.grad_fn.next_functions[0][1], len(out.grad_fn.next_functions))
leaf = a.view(2).grad_fn.next_functions[0][0]
print(leaf.variable is a, leaf.next_functions)
