"""as_strided: overlapping reads, gradients, writes."""

import torch

x = torch.arange(6.0, dtype=torch.float64, requires_grad=True)
w = torch.as_strided(x, (4, 3), (1, 1))
print(w, w.grad_fn, w.stride())
w.sum().backward()
print(x.grad)
x.grad = None
v = x.as_strided(size=(2, 2), stride=(2, 1), storage_offset=1)
print(v, v.storage_offset(), v.is_contiguous())
(v * torch.tensor([[1.0, 2], [3, 4]])).sum().backward()
print(x.grad)
x.grad = None
y = x * 1
y.as_strided((3,), (2,)).mul_(10)
print(y, y.grad_fn)
y.sum().backward()
print(x.grad)
z = torch.arange(4.0)
z.as_strided((2,), (3,))[:] = torch.tensor([7.0, 8])
print(z, z._version)
print(z.as_strided_((2, 2), (1, 2)), z.stride())
print(torch.arange(4.0)[1:].as_strided((2,), (1,)), torch.arange(4.0)[1:].as_strided((2,), (1,), 0))
print(
    torch.as_strided(torch.arange(3.0), (2, 3), (0, 1)),
    torch.arange(3.0).as_strided((), ()),
    torch.arange(3.0).as_strided((0,), (1,)),
)
for bad in (
    lambda: z.as_strided((10,), (1,)),
    lambda: z.as_strided((2,), (-1,)),
    lambda: z.as_strided((2,), (1, 1)),
    lambda: z.as_strided((2,), (1,), -1),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
