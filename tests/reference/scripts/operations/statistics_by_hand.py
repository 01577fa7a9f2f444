"""Means, variances, covariances, correlations, histograms, z-scores."""

import torch

x = torch.tensor(
    [[2.0, 4.0, 4.0, 5.0], [1.0, 3.0, 9.0, 7.0]], dtype=torch.float64, requires_grad=True
)
m = x.mean(1, keepdim=True)
d = x - m
cov = d @ d.T / (x.shape[1] - 1)
print(cov, torch.cov(x), torch.allclose(cov, x.cov()))
print(torch.corrcoef(x), x.corrcoef()[0, 1].grad_fn)
torch.cov(x)[0, 1].backward()
print(x.grad)
x.grad = None
torch.corrcoef(x)[0, 1].backward()
print(x.grad)
print(
    torch.cov(x, correction=0),
    torch.cov(x[0]),
    torch.cov(x, fweights=torch.tensor([1, 2, 1, 1])),
    torch.cov(x, aweights=torch.tensor([0.5, 0.5, 1.0, 1.0], dtype=torch.float64)),
)
z = (x - m) / x.std(1, keepdim=True)
print(z, z.mean(1).abs() < 1e-9, z.std(1))
skew = (z**3).mean(1)
kurt = (z**4).mean(1) - 3
print(skew.round(decimals=6) + 0.0, kurt)
w = torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=torch.float64)
print((x * w).sum(1) / w.sum(), torch.average if hasattr(torch, "average") else "no average")
print(
)
print(
    x.detach().quantile(torch.tensor([0.25, 0.5, 0.75], dtype=torch.float64), dim=1),
    x.detach().median(1).values,
)
print(
    torch.logsumexp(x, 1) - torch.log(torch.tensor(4.0)), x.log().mean(1).exp(), 1 / (1 / x).mean(1)
)
print(
    x.detach().mode(1),
    x.detach().std_mean if False else torch.std_mean(x.detach(), 1),
    torch.var_mean(x.detach(), 1, correction=0),
)
emp = torch.bucketize(torch.tensor([3.0, 5.0]), x.detach()[0].sort().values.float(), right=True) / 4
print(emp)
