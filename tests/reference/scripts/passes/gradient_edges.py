"""Gradient edges as roots and inputs."""
import torch
from torch.autograd.graph import GradientEdge, get_gradient_edge

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
z = (y ** 2).sum()
edge = get_gradient_edge(y)
print(type(edge).__name__, edge.node, edge.output_nr, isinstance(edge, tuple), edge._fields[:2])
del y
print(torch.autograd.grad(z, edge, retain_graph=True))
leaf = get_gradient_edge(x)
print(leaf.node.name(), leaf.output_nr)
print(torch.autograd.grad(z, [leaf, edge], retain_graph=True))
z.backward(inputs=[leaf], retain_graph=True)
print(x.grad)
ze = get_gradient_edge(z)
print(torch.autograd.grad(ze, x, grad_outputs=torch.tensor(2.0), retain_graph=True))
try:
    print(torch.autograd.grad(ze, x, retain_graph=True))
except Exception as e:
    print(type(e).__name__)
torch.autograd.backward(ze, torch.tensor(1.0), retain_graph=True)
print(x.grad)
try:
    get_gradient_edge(torch.ones(1))
except Exception as e:
    print(type(e).__name__)
a, b = torch.tensor([5.0, 7.0], requires_grad=True).unbind()
print(get_gradient_edge(a).output_nr, get_gradient_edge(b).output_nr, get_gradient_edge(a).node is get_gradient_edge(b).node)
eb = get_gradient_edge(b)
print(torch.autograd.grad(a * b, [get_gradient_edge(a), eb]))
manual = GradientEdge(z.grad_fn, 0)
print(torch.autograd.grad(manual, x, torch.tensor(1.0), retain_graph=True))
node = z.grad_fn.next_functions[0][0]
print(torch.autograd.grad(z, GradientEdge(node, 0), retain_graph=True))
print(leaf == get_gradient_edge(x), edge == get_gradient_edge(x * 3))
print(len({leaf, get_gradient_edge(x)}))
