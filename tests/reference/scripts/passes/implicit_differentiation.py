"""Implicit differentiation of a fixed point against unrolling."""

import torch

torch.set_default_dtype(torch.float64)
a = torch.tensor(0.7, requires_grad=True)


def step(z, a):
    return torch.cos(z * a)


z = torch.tensor(0.5)
with torch.no_grad():
    for _ in range(200):
        z = step(z, a)
z0 = z.clone().requires_grad_()
f = step(z0, a)
dz, da = torch.autograd.grad(f, (z0, a))
implicit = da / (1 - dz)

u = torch.tensor(0.5)
for _ in range(200):
    u = step(u, a)
(unrolled,) = torch.autograd.grad(u, a)
print(f"{z.item():.6f} {implicit.item():.6f} {unrolled.item():.6f}")
print(torch.allclose(implicit, unrolled))
