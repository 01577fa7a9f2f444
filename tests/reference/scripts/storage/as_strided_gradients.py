"""as_strided with overlaps, gaps and offsets; second order; on views."""

import torch

x = torch.arange(1.0, 9.0, dtype=torch.float64, requires_grad=True)
cases = [
    ((3,), (2,), 0),
    ((3, 3), (1, 1), 0),
    ((2, 2), (4, 1), 1),
    ((4,), (0,), 2),
    ((2, 3), (0, 1), 5),
    ((), (), 7),
    ((0, 2), (1, 1), 0),
    ((2, 2, 2), (1, 2, 3), 0),
]
for size, stride, off in cases:
    x.grad = None
    v = x.as_strided(size, stride, off)
    (v * torch.arange(1.0, v.numel() + 1, dtype=torch.float64).view(size)).sum().backward()
    print(size, v.tolist(), x.grad.tolist())


def f(t):
    return (
        (t.as_strided((3, 3), (1, 1)) ** 2).as_strided((2,), (4,)).sum()
        if False
        else (t.as_strided((3, 3), (1, 1)) ** 3).sum(1)
    )


print(torch.autograd.gradcheck(f, x), torch.autograd.gradgradcheck(f, x))
y = (x * 1).view(2, 4).t()
v = y.as_strided((2, 2), (1, 4), 1)
print(
    v,
    v._base is y._base,
    v.storage_offset(),
    y[1:].as_strided((2,), (1,)),
    y[1:].as_strided((2,), (1,), 0),
)
v.mul_(10)
print(y, y.grad_fn)
x.grad = None
y.sum().backward()
print(x.grad)
z = torch.zeros(6)
w = z.as_strided((2, 3), (3, 1))
w[:, 0] = 1
w.t()[2] += 2
print(z, w, z._version)
print(
    torch.as_strided(z, (2,), (2,), 1),
    z.as_strided(size=[2], stride=[3]),
    z[2:].as_strided((2,), (1,)).storage_offset(),
)
s = z.as_strided((3,), (0,))
try:
    s.add_(1)
except RuntimeError:
    print("RuntimeError")
s.fill_(5)
print(z, s.sum(), s.clone().stride())
toep = torch.arange(5.0).as_strided((3, 3), (1, 1)).flip(0)
print(toep, toep.is_contiguous())
d = torch.eye(3).as_strided((3,), (4,))
print(
    d,
    d.sum(),
    torch.arange(9.0).view(3, 3).as_strided((3,), (4,)).sum(),
    torch.arange(9.0).view(3, 3).as_strided((3,), (2,), 2),
)
