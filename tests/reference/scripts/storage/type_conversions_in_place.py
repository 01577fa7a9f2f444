"""type conversions, .data with other shapes, requires_grad_ of results."""

import torch

x = torch.tensor([1.7, -2.3], requires_grad=True)
print(
    x.int(),
    x.long().requires_grad,
    x.bool(),
    x.half(),
    x.bfloat16(),
    x.double().grad_fn,
    x.to(torch.complex64),
    x.type(torch.float64).dtype,
    x.type(),
    x.detach().byte if False else x.char(),
)
y = x.double().half().float()
y.mul_(2)
y.sum().backward()
print(x.grad, x.grad.dtype, y.grad_fn)
i = torch.tensor([1, 2])
for f in (
    lambda: i.requires_grad_(),
    lambda: torch.tensor([1, 2], requires_grad=True),
    lambda: torch.zeros(2, dtype=torch.bool).requires_grad_(True),
    lambda: (x * 2).requires_grad_(False),
    lambda: setattr(x * 2, "requires_grad", False),
    lambda: setattr(i, "requires_grad", True),
    lambda: (x * 2).requires_grad_().grad_fn,
    lambda: i.requires_grad_(False),
    lambda: x.detach().requires_grad_().add_(1),
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
z = torch.zeros(2)
z.data = torch.ones(3, 3)
print(z.shape, z.stride(), z.is_contiguous())
try:
    z.data = torch.ones(2, dtype=torch.float64)
    print(z.dtype)
except Exception as e:
    print(type(e).__name__)
p = torch.nn.Parameter(torch.zeros(2))
p.data.fill_(3)
p.data = p.data.double()
print(p, p.dtype)
try:
    p.data = [1, 2]
except Exception as e:
    print(type(e).__name__)
try:
    x.shape = (2, 1)
except Exception as e:
    print(type(e).__name__)
try:
    x.grad_fn = None
except Exception as e:
    print(type(e).__name__)
try:
    x._version = 3
except Exception as e:
    print(type(e).__name__)
try:
    x.is_leaf = False
except Exception as e:
    print(type(e).__name__)
try:
    x._base = x
except Exception as e:
    print(type(e).__name__)
x.tag = 5
print(
    x.tag,
    x.names,
    x.ndim,
    x.layout,
    x.device,
    x.is_sparse,
    x.is_floating_point(),
    x.is_complex(),
    x.is_signed(),
    x.output_nr,
    x.name if False else x.retains_grad,
)
