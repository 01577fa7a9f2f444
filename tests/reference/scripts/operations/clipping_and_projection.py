"""Projections onto balls, boxes, simplices; gradients through them."""

import torch

x = torch.tensor([0.5, 2.0, -1.0], dtype=torch.float64, requires_grad=True)


def ball(v, r=1.0):
    n = v.norm()
    return v * torch.clamp(r / n, max=1.0)


def box(v):
    return v.clamp(-0.75, 0.75)


def simplex(v):
    u = v.sort(descending=True).values
    css = u.cumsum(0) - 1
    k = torch.arange(1, len(v) + 1)
    rho = (u - css / k > 0).sum()
    theta = css[rho - 1] / rho
    return torch.relu(v - theta)


for f in (
    ball,
    box,
    simplex,
    lambda v: torch.renorm(v[None], 2, 0, 1.0)[0],
    lambda v: torch.nn.functional.normalize(v, dim=0),
    lambda v: v.softmax(0),
    lambda v: torch.nn.functional.hardtanh(v),
    lambda v: v / v.abs().max(),
    lambda v: torch.minimum(v, torch.ones(())),
    lambda v: v.where(v > 0, v * 0.1),
):
    y = f(x)
    J = torch.stack([torch.autograd.grad(c, x, retain_graph=True)[0] for c in y])
    print(y.detach(), J)
g = torch.Generator().manual_seed(3)
p = torch.rand(4, generator=g)
print(p.shape, (simplex(p).sum() - 1).abs() < 1e-6, simplex(torch.tensor([0.2, 0.3, 0.5])))
with torch.no_grad():
    x.clamp_(-0.5, 0.5).div_(x.norm())
print(x, x.grad, x.requires_grad, x.norm())
