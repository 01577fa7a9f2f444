"""Scans: prefix sums, parallel prefix by doubling, recurrences with cumprod, attention decay."""

import torch

x = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0], dtype=torch.float64, requires_grad=True)
a = torch.tensor([0.9, 0.5, 1.0, 0.2, 0.7], dtype=torch.float64, requires_grad=True)


def sequential(a, x):
    h, out = torch.zeros((), dtype=torch.float64), []
    for ai, xi in zip(a, x):
        h = ai * h + xi
        out.append(h)
    return torch.stack(out)


def by_cumprod(a, x):
    A = a.cumprod(0)
    return A * (x / A).cumsum(0)


def by_matrix(a, x):
    n = len(x)
    logs = a.log().cumsum(0)
    L = torch.exp(
        (logs[:, None] - logs[None, :]).masked_fill(torch.ones(n, n).triu(1).bool(), float("-inf"))
    )
    return L @ x


def by_doubling(a, x):
    shift = 1
    while shift < len(x):
        pad_a = torch.cat([torch.ones(shift, dtype=a.dtype), a[:-shift]])
        pad_x = torch.cat([torch.zeros(shift, dtype=x.dtype), x[:-shift]])
        x = x + a * pad_x
        a = a * pad_a
        shift *= 2
    return x


for f in (sequential, by_cumprod, by_matrix, by_doubling):
    a.grad = x.grad = None
    y = f(a, x)
    (y * y).sum().backward()
    print(f.__name__, y.detach(), a.grad.round(decimals=9) + 0.0, x.grad)
print(
    x.cumsum(0),
    x.cumprod(0),
    x.cummax(0),
    x.flip(0).cumsum(0).flip(0),
    x.logcumsumexp(0),
    torch.cumulative_trapezoid(x),
    torch.diff(x.cumsum(0), prepend=torch.zeros(1, dtype=torch.float64)),
)
(g,) = torch.autograd.grad(x.cumprod(0).sum(), x, create_graph=True)
print(g.detach(), torch.autograd.grad(g.sum(), x)[0])
z = torch.tensor([2.0, 0.0, 3.0, 0.0], dtype=torch.float64, requires_grad=True)
(g,) = torch.autograd.grad(z.cumprod(0).sum(), z, create_graph=True)
print(g.detach(), torch.autograd.grad(g.pow(2).sum(), z)[0], torch.autograd.grad(z.prod(), z))
print(
    torch.autograd.gradcheck(lambda a, x: by_doubling(a, x), (a, x)),
    torch.autograd.gradgradcheck(lambda t: t.cumprod(0), (x,)),
)
