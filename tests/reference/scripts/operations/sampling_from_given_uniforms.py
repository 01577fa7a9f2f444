"""Inverse transform sampling, reparametrisation, gumbel trick with fixed uniforms, densities."""

import math
import torch

u = torch.tensor([0.1, 0.5, 0.9, 0.25], dtype=torch.float64)
rate = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
e = -torch.log1p(-u) / rate
e.mean().backward()
print(e, rate.grad)
mu = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
sigma = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
eps = math.sqrt(2) * torch.erfinv(2 * u - 1)
z = mu + sigma * eps
print(eps, torch.special.ndtri(u), z)
(z**2).mean().backward()
print(mu.grad, sigma.grad)
logp = -0.5 * ((z - mu) / sigma) ** 2 - sigma.log() - 0.5 * math.log(2 * math.pi)
print(logp, logp.sum().exp())
kl = 0.5 * (sigma**2 + mu**2 - 1) - sigma.log()
mu.grad = sigma.grad = None
kl.backward()
print(kl, mu.grad, sigma.grad)
logits = torch.tensor([0.1, 1.0, -0.5, 0.0], dtype=torch.float64, requires_grad=True)
gumbel = -torch.log(-torch.log(u))
soft = torch.softmax((logits + gumbel) / 0.5, 0)
hard = torch.nn.functional.one_hot(soft.argmax(), 4).double()
st = hard - soft.detach() + soft
(st * torch.arange(4)).sum().backward()
print(gumbel, soft, st, logits.grad)
cdf = torch.softmax(logits, 0).cumsum(0)
print(cdf, torch.searchsorted(cdf, u), torch.bucketize(u, cdf), (u[:, None] > cdf).sum(1))
a = torch.tensor([1.5, 3.0], dtype=torch.float64, requires_grad=True)
beta = torch.lgamma(a).sum() - torch.lgamma(a.sum())
beta.backward()
print(beta, a.grad, torch.digamma(a.detach()) - torch.digamma(a.detach().sum()))
print(
    torch.special.ndtr(z.detach()),
    0.5 * (1 + torch.erf(z.detach() / math.sqrt(2))),
    torch.special.log_ndtr(torch.tensor([-10.0, 0.0])),
    torch.special.entr(torch.tensor([0.0, 0.5, 1.0])),
    torch.special.xlogy(torch.tensor([0.0, 2.0]), torch.tensor([0.0, 3.0])),
)
