"""Writing gradients in place: zeroing, clipping, accumulating."""

import warnings

import torch

warnings.simplefilter("ignore")  # layouts of gradients, cycles of create_graph: once a process

w = torch.tensor([3.0, -4.0], requires_grad=True)
(w**2).sum().backward()
g = w.grad
print(g, g.requires_grad, g._version, g.is_leaf)
g.mul_(0.5)
print(w.grad is g, w.grad)
(w**2).sum().backward()
print(w.grad is g, g, g._version)
w.grad.zero_()
print(g)
w.grad.data.clamp_(-1, 1)
w.grad[0] = 5
print(w.grad)
w.grad += 1
print(w.grad, w.grad is g)
w.grad = w.grad * 2
print(w.grad is g)
(w**3).sum().backward(create_graph=True)
print(w.grad, w.grad.requires_grad, w.grad.grad_fn)
h = w.grad
(w**2).sum().backward()
print(w.grad is h, w.grad, w.grad.requires_grad)
w.grad = None
(w**2).sum().backward(create_graph=True)
w.grad.sum().backward()
print(w.grad)
for bad in (torch.ones(3), torch.ones(2, dtype=torch.double), 1.0, w):
    try:
        w.grad = bad
        print("assigned")
    except Exception as e:
        print(type(e).__name__)
w.grad = torch.zeros(1).expand(2)
try:
    (w * 2).sum().backward()
    print(w.grad, w.grad.stride())
except RuntimeError:
    print("RuntimeError")
w.grad = torch.arange(4.0)[::2]
(w * 2).sum().backward()
print(w.grad, w.grad.stride())
del w.grad
print(w.grad)
