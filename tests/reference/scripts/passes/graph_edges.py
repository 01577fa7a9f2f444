"""Gradient edges as inputs and as roots."""

import torch
from torch.autograd.graph import GradientEdge, get_gradient_edge

a = torch.tensor([2.0], requires_grad=True)
b = a * 3
edge = get_gradient_edge(b)
print(isinstance(edge, tuple), edge.node is b.grad_fn, edge.output_nr)
c = b**2
print(torch.autograd.grad(c, edge, retain_graph=True))
b = b + 100
d = b + c
print(torch.autograd.grad(d, (edge, a), retain_graph=True))
torch.autograd.backward(get_gradient_edge(c), retain_graph=True)
print(a.grad)
leaf = get_gradient_edge(a)
print(leaf.node.variable is a)
print(torch.autograd.grad(get_gradient_edge(d), a, retain_graph=True))
print(torch.autograd.grad(d, GradientEdge(c.grad_fn, 0)))
try:
    get_gradient_edge(torch.ones(1))
except (RuntimeError, ValueError) as e:
    print(type(e).__name__)
u, v = torch.tensor([1.0, 2.0], requires_grad=True).unbind()
print(get_gradient_edge(v).output_nr, get_gradient_edge(u).node is get_gradient_edge(v).node)
