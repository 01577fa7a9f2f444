"""Jacobians of functions made of views, writes and indexing."""
import torch
from torch.autograd.functional import jacobian

x = torch.arange(1.0, 5.0)
print(jacobian(lambda t: t.view(2, 2).t().reshape(-1), x))
print(jacobian(lambda t: t[[3, 0]] * t[1], x))
print(jacobian(lambda t: t.unfold(0, 2, 1).sum(1), x))
print(jacobian(lambda t: t.flip(0).cumsum(0), x))


def written(t):
    out = torch.zeros(3)
    out[0] = t[0] * t[1]
    out[1:] = t[2:] ** 2
    return out


print(jacobian(written, x))
print(jacobian(lambda t: t.expand(2, 4)[1], x))
print(jacobian(lambda t: torch.diag(t)[1], x))
print(jacobian(lambda t: t.roll(1), x))
print(jacobian(lambda t: torch.where(t > 2, t, t * 0), x))
print(jacobian(lambda t: t.sort(descending=True).values, x))
print(jacobian(lambda t: t.softmax(0), x))
print(jacobian(lambda t: t.masked_fill(t > 3, 0.0), x).diag())
print(jacobian(lambda t: t.scatter(0, torch.tensor([1]), t[:1]), x))
