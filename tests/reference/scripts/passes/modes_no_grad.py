"""no_grad as a context, as a decorator, nested, and with exceptions."""

import torch

x = torch.tensor([1.0], requires_grad=True)
with torch.no_grad():
    y = x * 2
    print(y.requires_grad, y.grad_fn, y.is_leaf, torch.is_grad_enabled())
    with torch.enable_grad():
        z = x * 2
        print(z.requires_grad, torch.is_grad_enabled())
    print(torch.is_grad_enabled())
print(torch.is_grad_enabled())


@torch.no_grad()
def double(v):
    """Doubles."""
    return v * 2


@torch.no_grad
def triple(v):
    return v * 3


@torch.enable_grad()
def square(v):
    return v * v


print(double(x).requires_grad, triple(x).requires_grad, double.__name__, double.__doc__)
with torch.no_grad():
    print(square(x).requires_grad)
try:
    with torch.no_grad():
        raise KeyError("inside")
except KeyError:
    print("after an exception:", torch.is_grad_enabled())

w = torch.nn.Parameter(torch.ones(1))
with torch.no_grad():
    print(
        torch.tensor([1.0], requires_grad=True).requires_grad,
        torch.nn.Parameter(torch.ones(1)).requires_grad,
    )
    a = torch.ones(1, requires_grad=True)
print((a * 2).requires_grad)
