"""Backward from edges, several graphs, views and leaves at once."""
import torch
from torch.autograd.graph import GradientEdge, get_gradient_edge

x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)
y = x * w
e = get_gradient_edge(y)
z = y.exp().sum()
torch.autograd.backward(z, inputs=[e.node.next_functions[0][0].variable, w], retain_graph=True)
print(x.grad, w.grad)
x.grad = w.grad = None
torch.autograd.backward([e, get_gradient_edge(z)], [torch.ones(2), torch.tensor(0.0)], retain_graph=True)
print(x.grad, w.grad)
x.grad = w.grad = None
z.backward(inputs=[get_gradient_edge(x)], retain_graph=True)
print(x.grad, w.grad)
print(torch.autograd.grad([z, y], [e, x], [torch.tensor(1.0), torch.ones(2)], retain_graph=True))
edges = [GradientEdge(n, k) for n, k in y.grad_fn.next_functions]
print(torch.autograd.grad(z, edges, retain_graph=True), len(edges))
for bad in (lambda: torch.autograd.grad(e, x), lambda: torch.autograd.grad(z, (y.grad_fn, 0), retain_graph=True),
            lambda: torch.autograd.grad(y.grad_fn, x), lambda: torch.autograd.backward(e), lambda: get_gradient_edge("x"), lambda: get_gradient_edge(x.detach())):
    try:
        print(bad())
    except Exception as err:
        print(type(err).__name__)
x.grad = w.grad = None
torch.autograd.backward([x, x * 2, w.sum()], [torch.ones(2), torch.ones(2), None])
print(x.grad, w.grad)
a, b = (x * 5).chunk(2)
torch.autograd.backward([a, b], [torch.tensor([1.0]), torch.tensor([10.0])])
print(x.grad)
v = x.view(2, 1)
v.backward(torch.tensor([[1.0], [2.0]]))
print(x.grad)
r = torch.tensor(2.0, requires_grad=True)
torch.autograd.backward((r, r ** 2, r.detach().requires_grad_()))
print(r.grad)
same = (r * 3)
torch.autograd.backward([same, same])
print(r.grad)
first, second = r * 2, r * 7
second.backward()
first.backward()
print(r.grad)
nested = [r * k for k in range(3)]
sum(nested).backward()
print(r.grad)
