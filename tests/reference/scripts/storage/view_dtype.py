"""view(dtype), view_as_real, view_as_complex, real and imag."""

import torch

x = torch.tensor([1.0, -2.0])
i = x.view(torch.int32)
print(i, i._is_view(), i._base is x, i.dtype)
i[0] = 0
print(x, x._version)
print(
    x.view(torch.int16).shape,
    x.view(torch.int64).shape,
    x.view(torch.uint8).shape,
    torch.ones(2, 4, dtype=torch.float16).view(torch.float32).shape,
)
for bad in (
    lambda: torch.ones(3).view(torch.int64),
    lambda: torch.ones(4, 2).t().view(torch.int64),
    lambda: torch.tensor(1.0).view(torch.int64),
    lambda: torch.ones(3)[::2].view(torch.int8),
):
    try:
        print(bad().shape)
    except Exception as e:
        print(type(e).__name__)
c = torch.tensor([1 + 2j, 3 - 4j], requires_grad=True)
r = torch.view_as_real(c)
print(r, r.grad_fn, r._is_view(), r.stride())
(r * torch.tensor([[1.0, 2], [3, 4]])).sum().backward()
print(c.grad)
d = c.detach().clone()
d.real.mul_(10)
d.imag[0] = 7
print(d, d._version, d.real._base is d, d.imag.storage_offset(), d.real.stride())
d.real = torch.tensor([0.0, 1.0])
print(d)
q = torch.view_as_complex(torch.arange(6.0).view(3, 2))
print(q, q.dtype, q.stride())
for bad in (
    lambda: torch.view_as_complex(torch.ones(3)),
    lambda: torch.view_as_complex(torch.ones(2, 2, dtype=torch.long)),
    lambda: torch.view_as_real(torch.ones(2)),
    lambda: torch.ones(2).imag,
    lambda: torch.view_as_complex(torch.ones(2, 3)),
):
    try:
        print(bad().shape)
    except Exception as e:
        print(type(e).__name__)
k = d.conj()
print(k, k.imag, k.resolve_conj().is_conj())
z = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.complex(z * 1, z * 2)
w.real.mul_(3)
print(w, w.grad_fn)
w.abs().sum().backward()
print(z.grad)
