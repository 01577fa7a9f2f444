"""Notes in a node's metadata, identity of nodes, and sequence."""

import torch

x = torch.ones(1, requires_grad=True)
y = x * 2
print(y.grad_fn is y.grad_fn, y.grad_fn.metadata)
y.grad_fn.metadata["layer"] = "first"
z = y + 1
print(z.grad_fn.next_functions[0][0].metadata["layer"])
print(z.grad_fn.next_functions[0][0] is y.grad_fn)
old = y.grad_fn
y.mul_(3)
print(y.grad_fn is old, y.grad_fn.next_functions[0][0] is old, y.grad_fn.name())
print(isinstance(y.grad_fn, torch.autograd.graph.Node), callable(y.grad_fn))
print(y.grad_fn(torch.ones(1)))
print(z.grad_fn._sequence_nr() > old._sequence_nr())
d = {y.grad_fn: 1}
print(d[y.grad_fn], hash(y.grad_fn) == hash(y.grad_fn))
