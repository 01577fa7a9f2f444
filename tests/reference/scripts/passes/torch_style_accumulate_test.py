"""Accumulation in place and out of place, identity of .grad, assigned gradients."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x**3
grad_output = torch.ones(2)
y.backward(grad_output, retain_graph=True)
x_grad, clone = x.grad, x.grad.clone()
y.backward(grad_output, retain_graph=True)
print(torch.equal(x_grad, clone * 2), x_grad is x.grad)
x.grad = None
y.backward(grad_output, create_graph=True)
x_grad = x.grad
y.backward(grad_output, create_graph=True)
print(x_grad is x.grad, x.grad)
x.grad = None
x.grad = torch.zeros(2, requires_grad=True)
try:
    (x * 2).sum().backward()
    print(x.grad)
except RuntimeError as e:
    print(type(e).__name__)
x.grad = torch.ones(2)[None].expand(2, 2)[0]
(x * 2).sum().backward()
print(x.grad)
x.grad = torch.zeros(4)[::2]  # PyTorch warns here that this may be slow
held = x.grad
x.grad += 1
print(held is x.grad, x.grad, held.stride())
