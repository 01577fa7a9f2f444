"""backward(create_graph=True) works and warns; .grad can be differentiated."""

import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**3
y.backward(create_graph=True)
print(x.grad, x.grad.requires_grad, x.grad.grad_fn is not None)
g = x.grad
x.grad = None
g.backward()
print(x.grad, x.grad.requires_grad)
