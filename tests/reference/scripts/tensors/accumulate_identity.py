"""Whether .grad is the same object, and whether it owns its memory."""

import torch

x = torch.ones(3, requires_grad=True)
out = torch.full((3,), 2.0)
x.backward(out)
print(x.grad, x.grad is out, x.grad.data_ptr() == out.data_ptr())
first = x.grad
x.backward(out)
print(first, x.grad is first, out)
y = torch.ones(3, requires_grad=True)
(x.detach() * y).sum().backward(retain_graph=False)
y.grad[0] = 50
print(x, y.grad)
a = torch.ones(2, requires_grad=True)
b = torch.ones(2, requires_grad=True)
(a + b).sum().backward()
print(a.grad is b.grad, a.grad.data_ptr() == b.grad.data_ptr())
a.grad += 1
print(a.grad, b.grad)
c = torch.ones(2, requires_grad=True)
(c * 2).sum().backward(create_graph=True)
print(c.grad, c.grad.requires_grad, c.grad.grad_fn)
