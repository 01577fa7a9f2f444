"""Seeded simulations reduced to a few numbers."""

import math

import torch

torch.manual_seed(0)
pts = torch.rand(10000, 2)
inside = (pts.pow(2).sum(1) < 1).float().mean()
print(4 * inside, abs(4 * inside.item() - math.pi) < 0.05)
steps = torch.randint(0, 2, (5, 20)) * 2 - 1
print(steps.cumsum(1)[:, -1], steps[0].tolist())
mu = torch.tensor(1.0, requires_grad=True)
samples = mu + 2 * torch.randn(1000)
loss = (samples**2).mean()
loss.backward()
print(loss, mu.grad)
print(torch.randn(1000).mean(), torch.randn(1000, dtype=torch.float64).std(), torch.rand(1000).max(), torch.bernoulli(torch.full((1000,), 0.3)).mean())
perm = torch.randperm(10)
print(perm, perm.sort().values.equal(torch.arange(10)), perm.argsort()[perm].tolist() == list(range(10)), torch.multinomial(torch.ones(4), 4).sort().values)
