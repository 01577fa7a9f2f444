"""The setter and the method, on leaves and others."""

import torch

x = torch.ones(2)
print(x.requires_grad_() is x, x.requires_grad)
y = x * 2
try:
    y.requires_grad = False
except RuntimeError as err:
    print(type(err).__name__, "only change requires_grad flags of leaf variables" in str(err))
try:
    y.requires_grad_(False)
except RuntimeError as err:
    print(type(err).__name__)
print(y.requires_grad_(True).requires_grad)
try:
    y.requires_grad = True
except RuntimeError as err:
    print(type(err).__name__)
for bad in (1, None, "yes", 1.0):
    try:
        x.requires_grad = bad
        print("ok", bad)
    except (RuntimeError, TypeError) as err:
        print(type(err).__name__)
x.requires_grad = False
print(x.requires_grad, (x * 2).requires_grad, y.requires_grad)
y.sum().backward()
print(x.grad)
z = torch.zeros(3)[1:]
z.requires_grad_()
print(z.is_leaf, z._base is not None, z)
try:
    torch.ones(2, requires_grad="yes")
except TypeError as err:
    print(type(err).__name__)
