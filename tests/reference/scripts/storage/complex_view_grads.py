"""real, imag and view_as_real written in place, with gradients."""

import torch

z = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex128, requires_grad=True)
y = z * 1
y.real.mul_(2)
y.imag[0] = 5
print(y, y.grad_fn)
(y.abs() ** 2).sum().backward()
print(z.grad)
z.grad = None
v = torch.view_as_real(z * 1)
v[:, 1] *= 3
w = torch.view_as_complex(v)
print(w, w.grad_fn)
(w * w.conj()).real.sum().backward()
print(z.grad)
x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
c = torch.zeros(2, dtype=torch.complex128)
c.real = x
c.imag = x**2
print(c, c.grad_fn)
c.abs().sum().backward()
print(x.grad)
x.grad = None
d = torch.complex(x, 2 * x)
d[0] = d[1] * 1j
(d.real * torch.tensor([1.0, 10.0], dtype=torch.float64)).sum().backward()
print(d, x.grad)
e = z.detach().clone()
e.real[:] = 0
e.imag.add_(torch.tensor([1.0, 1.0], dtype=torch.float64))
torch.view_as_real(e)[1] = torch.tensor([7.0, 8.0], dtype=torch.float64)
print(
    e,
    e._version,
    e.real._base is e,
    e.real.is_contiguous(),
    e.imag.stride(),
    e.imag.storage_offset(),
)
e[e.real > 1] = 1j
e.mul_(2).add_(1).div_(1j)
print(e, e.sum(), e.prod(), e.abs(), e.angle().shape)
print(
    e.index_add_(0, torch.tensor([0]), torch.tensor([1j], dtype=torch.complex128)),
    e.masked_fill_(torch.tensor([True, False]), 3),
    e.copy_(torch.tensor([1, 2])),
    e.fill_(1j),
    e.zero_(),
)
for bad in (
    lambda: torch.ones(2).add_(1j),
    lambda: torch.ones(2).mul_(e),
    lambda: torch.ones(2, dtype=torch.complex64).copy_(torch.ones(3)),
    lambda: e.clamp_(0),
    lambda: e.lt_(1),
    lambda: e.floor_(),
    lambda: e > 0,
    lambda: e.max(),
    lambda: torch.ones(2)[0].imag,
):
    try:
        print(bad())
    except Exception as err:
        print(type(err).__name__)
print(
    torch.autograd.gradcheck(
        lambda t: torch.view_as_real(t * 1).mul_(2).sum(-1), z.detach().requires_grad_()
    )
)
