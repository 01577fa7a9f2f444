"""requires_grad in factories and its propagation through every kind of call."""

import torch

for make in (torch.zeros, torch.ones, torch.empty, torch.rand, torch.randn):
    t = make(2, requires_grad=True)
    print(make.__name__, t.requires_grad, t.is_leaf, t.grad_fn)
print(
    torch.full((2,), 3.0, requires_grad=True),
    torch.arange(3.0, requires_grad=True),
    torch.eye(2, requires_grad=True)[0],
)
print(torch.linspace(0, 1, 3, requires_grad=True), torch.tensor(1.0, requires_grad=True))
x = torch.ones(2, requires_grad=True)
print(
    torch.zeros_like(x).requires_grad,
    torch.ones_like(x, requires_grad=True).requires_grad,
    x.new_zeros(2).requires_grad,
    torch.empty_like(x).requires_grad,
)
print(
    torch.tensor([x[0].item(), 2.0]).requires_grad,
    torch.as_tensor(x) is x,
    torch.stack([x, torch.ones(2)]).requires_grad,
)
for f in (
    torch.arange,
    lambda n, **k: torch.zeros(n, dtype=torch.int32, **k),
    lambda n, **k: torch.ones(n, dtype=torch.bool, **k),
):
    try:
        f(3, requires_grad=True)
    except RuntimeError as e:
        print(type(e).__name__)
i = torch.arange(3)
try:
    i.requires_grad_()
except RuntimeError as e:
    print(type(e).__name__)
i.requires_grad_(False)
c = torch.zeros(1, dtype=torch.complex64, requires_grad=True)
print(c.requires_grad, (x + 1j).requires_grad, (x > 0).requires_grad, x.int().requires_grad)
a = torch.ones(1)
b = a * 2
a.requires_grad_()
print(b.requires_grad, (a * b).requires_grad)
