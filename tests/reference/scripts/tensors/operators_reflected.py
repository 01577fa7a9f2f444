"""Numbers on the left."""

import torch

x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
for name, f in {"add": lambda: 1 + x, "sub": lambda: 1 - x, "mul": lambda: 3 * x, "div": lambda: 8 / x, "pow": lambda: 2**x, "floordiv": lambda: 9 // x.detach(), "mod": lambda: 9 % x.detach()}.items():
    y = f()
    print(name, y, y.grad_fn)
    if y.requires_grad:
        x.grad = None
        y.sum().backward()
        print(x.grad)
print(sum([x, x]), True + x.detach(), 1j * x.detach(), 2.5 - torch.tensor([1, 2]), 1 / torch.tensor([1, 2]), 7 & torch.tensor([3, 5]), 1 | torch.tensor([2]))
try:
    "a" + x
except TypeError as err:
    print(type(err).__name__)
try:
    [1, 2, 3] + x
except TypeError as err:
    print(type(err).__name__)
try:
    x + None
except TypeError as err:
    print(type(err).__name__)
try:
    x @ 2
except TypeError as err:
    print(type(err).__name__)
