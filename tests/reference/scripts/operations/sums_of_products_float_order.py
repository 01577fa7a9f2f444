"""Accumulations that lose or keep precision: float32 sums, Kahan, means of large numbers."""

import torch

x = torch.full((10000,), 0.1)
print(x.sum(), x.double().sum(), x.mean(), x.cumsum(0)[-1] > 999, x.sum(dtype=torch.float64))
big = torch.tensor([1e8, 1.0, -1e8, 1.0])
print(big.sum().item() in (1.0, 2.0), big.double().sum())


def kahan(v):
    s = torch.zeros(())
    c = torch.zeros(())
    for a in v:
        y = a - c
        t = s + y
        c = (t - s) - y
        s = t
    return s


print(kahan(torch.full((100,), 0.1)), torch.full((100,), 0.1).sum())
h = torch.full((4096,), 0.1, dtype=torch.float16)
print(h.sum(), h.mean(), h.var(), h.float().sum())
b = torch.full((1000,), 1.0, dtype=torch.bfloat16)
print(b.sum(), b.mean(), (b * 0.001).sum().dtype)
i = torch.full((3,), 2**31 - 1, dtype=torch.int32)
print(
    i.sum(),
    i.sum(dtype=torch.int32),
    i.prod(),
    (i + 1)[0],
    i.to(torch.int16),
    i.float()[0],
    torch.tensor(2**53 + 1).double(),
)
e = 1.0
while torch.tensor(1.0) + e != 1.0:
    e /= 2
print(
    e * 2 == torch.finfo(torch.float32).eps,
    torch.finfo(torch.float16),
    torch.finfo(torch.float64).smallest_normal,
)
print(
    torch.tensor(0.1) + torch.tensor(0.2),
    torch.tensor(0.1, dtype=torch.float64) + torch.tensor(0.2, dtype=torch.float64) == 0.3,
    torch.tensor(0.1).item(),
    torch.tensor(0.1) == 0.1,
    torch.tensor(0.1).double().item(),
)
print(
    torch.tensor(1e20) * 1e20,
    torch.tensor(1e-30) * 1e-30,
    torch.tensor(3.4e38) * 2,
    -torch.tensor(1.0) / 0,
    torch.tensor(0.0) / 0,
    torch.tensor(70000.0).half(),
    torch.tensor(1e-8).half(),
    torch.tensor(3.3895e38).bfloat16(),
)
x = torch.tensor(1e-4, requires_grad=True)
y = (1 - torch.cos(x)) / x**2
y.backward()
print(
    y,
    x.grad,
    torch.expm1(torch.tensor(1e-8)),
    torch.log1p(torch.tensor(1e-8)),
    torch.exp(torch.tensor(1e-8)) - 1,
)
