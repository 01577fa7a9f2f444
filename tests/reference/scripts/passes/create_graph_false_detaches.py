"""Without create_graph gradients are plain numbers; with it they carry history."""

import torch

x = torch.tensor(2.0, requires_grad=True)
y = x**3
(g,) = torch.autograd.grad(y, x, retain_graph=True)
print(g, g.requires_grad, g.grad_fn)
try:
    torch.autograd.grad(g, x)
except RuntimeError as e:
    print("does not require grad" in str(e))
(g,) = torch.autograd.grad(y, x, create_graph=True)
print(g.requires_grad, g)
# create_graph keeps the graph by default
(g2,) = torch.autograd.grad(y, x)
print(g2)
# retain_graph=False with create_graph=True frees the first graph
y = x**3
(g,) = torch.autograd.grad(y, x, create_graph=True, retain_graph=False)
try:
    torch.autograd.grad(y, x)
except RuntimeError as e:
    print(type(e).__name__)
with torch.no_grad():
    y = x**2
    print(y.requires_grad)
y = x**2
with torch.no_grad():
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    print(g, g.requires_grad)
