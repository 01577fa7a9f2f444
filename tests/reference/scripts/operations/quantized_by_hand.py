"""Rounding to a grid, stochastic masks given, bucket edges, one-hot lookups, codebooks."""

import torch

x = torch.tensor([-1.2, -0.3, 0.1, 0.8, 2.4], requires_grad=True)
edges = torch.tensor([-1.0, 0.0, 1.0, 2.0])
codes = torch.bucketize(x.detach(), edges)
book = torch.tensor([-1.5, -0.5, 0.5, 1.5, 2.5], requires_grad=True)
q = book[codes]
st = x + (q - x).detach()
loss = (st**2).sum() + (q - x.detach()).pow(2).mean() + 0.25 * (x - q.detach()).pow(2).mean()
loss.backward()
print(codes, q, st, loss, x.grad, book.grad)
d = (x.detach()[:, None] - book.detach()).abs()
print(
    d.argmin(1),
    d.min(1),
    torch.nn.functional.one_hot(codes, 5),
    torch.nn.functional.embedding(codes, book[:, None]).squeeze(1),
    torch.searchsorted(edges, torch.tensor([0.0, 2.0]), right=True),
    torch.bucketize(torch.tensor([[0.5], [3.0]]), edges),
)
print(
    (x / 0.5).round() * 0.5,
    torch.round(x, decimals=0),
    x.detach().trunc().int(),
    (x.detach() * 4).floor() / 4,
)
