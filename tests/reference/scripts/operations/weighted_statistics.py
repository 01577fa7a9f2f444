"""Weighted means, running variance, median absolute deviation, trimmed means, ranks."""

import torch

x = torch.tensor([4.0, 1.0, 7.0, 3.0, 3.0, 100.0], requires_grad=True)
w = torch.tensor([1, 2, 1, 1, 3, 1])
m = (x * w).sum() / w.sum()
v = (w * (x - m) ** 2).sum() / w.sum()
print(m, v, v.sqrt())
m.backward()
print(x.grad)
x.grad = None
med = x.median()
mad = (x - med).abs().median()
mad.backward()
print(med, mad, x.grad + 0.0)
x.grad = None
s, order = x.sort()
trimmed = s[1:-1].mean()
trimmed.backward()
print(trimmed, x.grad, order)
ranks = torch.empty_like(order)
ranks[order] = torch.arange(6)
print(ranks, order.argsort(), torch.argsort(torch.argsort(x.detach())))
mean, m2 = torch.tensor(0.0), torch.tensor(0.0)
for n, value in enumerate(x.detach(), 1):
    delta = value - mean
    mean += delta / n
    m2 += delta * (value - mean)
print(mean, (m2 / 5).round(), x.var().detach().round(), x.mean().detach())
print(
    x.clamp(max=10).mean().item(),
    torch.winsorize if hasattr(torch, "winsorize") else "-",
    x.detach().clamp(*torch.quantile(x.detach(), torch.tensor([0.1, 0.9])).tolist()),
)
print(
    x.detach().topk(3),
    x.detach().kthvalue(2),
    (x > med).float().mean(),
    x.detach()[x.detach() < 50].std(unbiased=False),
)
z = (x - x.mean()) / (x.std() + 1e-8)
z.pow(3).mean().backward()
print(z, x.grad)
