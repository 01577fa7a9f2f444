"""What may be assigned to .grad."""

import torch

x = torch.ones(3, requires_grad=True)
print(x.grad)
x.grad = torch.tensor([1.0, 2.0, 3.0])
print(x.grad)
(x * 2).sum().backward()
print(x.grad)
for bad in (torch.ones(2), torch.ones(3, dtype=torch.float64), torch.ones(1, 3), 1.0, [1.0], "a", torch.ones(3, dtype=torch.int64)):
    try:
        x.grad = bad
        print("ok")
    except (RuntimeError, TypeError) as err:
        print(type(err).__name__)
try:
    x.grad = x
except RuntimeError as err:
    print(type(err).__name__, "own grad" in str(err))
print(x.grad)
del x.grad
print(x.grad)
x.grad = None
y = torch.zeros(3)
y.grad = torch.ones(3)
print(y.grad, y.requires_grad)
g = torch.ones(3)
x.grad = g
print(x.grad is g)
(x * 3).sum().backward()
print(g, x.grad is g)
