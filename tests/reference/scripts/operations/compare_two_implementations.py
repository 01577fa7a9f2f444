"""User-written versions of common functions beside the built-in ones: values and gradients."""

import math
import torch
import torch.nn.functional as F

pairs = {
    "gelu": (F.gelu, lambda x: 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))),
    "silu": (F.silu, lambda x: x * torch.sigmoid(x)),
    "softplus": (F.softplus, lambda x: torch.log1p(torch.exp(-x.abs())) + x.clamp(min=0)),
    "mish": (F.mish, lambda x: x * torch.tanh(F.softplus(x))),
    "elu": (F.elu, lambda x: torch.where(x > 0, x, torch.expm1(x))),
    "leaky": (F.leaky_relu, lambda x: torch.maximum(x, 0.01 * x)),
    "logsigmoid": (F.logsigmoid, lambda x: -torch.logaddexp(-x, torch.zeros((), dtype=x.dtype))),
    "hardswish": (F.hardswish, lambda x: x * torch.clamp(x + 3, 0, 6) / 6),
    "tanh": (torch.tanh, lambda x: 2 * torch.sigmoid(2 * x) - 1),
    "layernorm": (
        lambda x: F.layer_norm(x, (5,)),
        lambda x: (x - x.mean()) / (x.var(unbiased=False) + 1e-5).sqrt(),
    ),
    "norm": (torch.norm, lambda x: (x * x).sum().sqrt()),
    "std": (torch.std, lambda x: ((x - x.mean()) ** 2).sum().div(len(x) - 1).sqrt()),
    "lse": (
        lambda x: x.logsumexp(0),
        lambda x: (x - x.max().detach()).exp().sum().log() + x.max().detach(),
    ),
    "cos": (
        lambda x: F.cosine_similarity(x, x.flip(0), dim=0),
        lambda x: (x @ x.flip(0)) / (x @ x),
    ),
    "huber": (
        lambda x: F.huber_loss(x, torch.zeros_like(x)),
        lambda x: torch.where(x.abs() < 1, 0.5 * x**2, x.abs() - 0.5).mean(),
    ),
    "cumprod": (
        lambda x: x.cumprod(0),
        lambda x: torch.stack([x[: i + 1].prod() for i in range(5)]),
    ),
    "dist": (lambda x: torch.dist(x, x.roll(1)), lambda x: (x - x.roll(1)).square().sum().sqrt()),
    "var": (lambda x: x.var(correction=2), lambda x: (x - x.mean()).pow(2).sum() / 3),
}
for name, (a, b) in pairs.items():
    x = torch.tensor([-2.0, -0.5, 0.25, 1.0, 3.0], dtype=torch.float64, requires_grad=True)
    ya, yb = a(x), b(x)
    (ga,) = torch.autograd.grad(ya.sum(), x, create_graph=True)
    (gb,) = torch.autograd.grad(yb.sum(), x, create_graph=True)
    (ha,) = torch.autograd.grad(ga.pow(2).sum(), x)
    (hb,) = torch.autograd.grad(gb.pow(2).sum(), x)
    print(
        name,
        torch.allclose(ya, yb),
        torch.allclose(ga, gb),
        torch.allclose(ha, hb),
        ya.grad_fn.name(),
        yb.grad_fn.name(),
    )
    print(ya.detach(), ga.detach(), ha)
