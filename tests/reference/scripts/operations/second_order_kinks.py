"""Second derivatives where the first has a kink, and double backward through reductions."""

import torch


def two(f, *values):
    x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
    y = f(x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    print(g.detach(), g.requires_grad)
    if g.requires_grad:
        h = torch.autograd.grad(g.pow(2).sum() if g.numel() else g.sum(), x, allow_unused=True)
        # rounding leaves of zero what it likes
        print("   ", None if h[0] is None else h[0].round(decimals=9) + 0.0)


for f in [
    torch.abs,
    torch.relu,
    torch.sign,
    torch.sqrt,
    lambda t: t.clamp(-1, 1),
    lambda t: t.max(),
    lambda t: t.amax(0),
    lambda t: t.norm(),
    lambda t: t.norm(3),
    lambda t: t.norm(1),
    lambda t: t.std(),
    lambda t: t.var(),
    lambda t: t.prod(),
    lambda t: t.cumprod(0),
    lambda t: t.logsumexp(0),
    lambda t: t.softmax(0)[0],
    lambda t: t.pow(0),
    lambda t: t.pow(1),
    lambda t: t**2.5,
    lambda t: 0**t,
    lambda t: torch.hypot(t, t),
    lambda t: torch.atan2(t, t + 1),
    lambda t: t.sort().values * t,
    lambda t: t.median() * t,
    lambda t: torch.where(t > 0, t**2, t**3),
    lambda t: t.frac() * t,
    lambda t: t.reciprocal(),
    lambda t: torch.xlogy(t, t),
    lambda t: t.cumsum(0) * t,
    lambda t: t[[0, 0, 1]] ** 2,
    lambda t: torch.maximum(t, -t),
    lambda t: t.nan_to_num() ** 2,
    lambda t: t.trunc(),
    lambda t: (t * t).mean(),
    lambda t: torch.diff(t) ** 2,
    lambda t: torch.logaddexp(t, t),
    lambda t: t.log_softmax(0)[1],
    lambda t: t.dist(torch.ones(3, dtype=torch.float64)),
    lambda t: torch.nn.functional.normalize(t, dim=0)[0],
]:
    two(f, 1.0, 0.0, 2.0)
