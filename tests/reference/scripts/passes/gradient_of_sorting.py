"""Gradients through sort, topk, median, unique order, cummax, kthvalue."""

import torch

x = torch.tensor([[3.0, 1.0, 2.0], [0.5, 4.0, -1.0]], requires_grad=True)
w = torch.tensor([[1.0, 10.0, 100.0], [2.0, 20.0, 200.0]])


def g(out, weights=None):
    return torch.autograd.grad(
        (out * (w[..., : out.shape[-1]] if weights is None else weights)).sum(), x
    )[0]


print(g(x.sort(1).values), x.sort(1, descending=True).indices)
print(g(x.topk(2, dim=1).values))
print(g(x.median(1).values, torch.tensor([5.0, 7.0])))
print(g(x.max(0).values, w[0]), g(x.min(1)[0], w[:, 0]))
print(g(x.cummax(1).values), g(x.cumsum(1)), g(x.cumprod(1)))
print(g(x.kthvalue(2, 1).values, w[:, 0]))
print(g(x.flip(1)), g(x.roll(1, 1)))
print(g(torch.gather(x, 1, x.argsort(1))))
print(g(x[x > 1], torch.tensor([1.0, 2.0, 3.0])))
print(g(torch.maximum(x, torch.ones(2, 3))), g(torch.fmin(x, x * 0.5)))
v = torch.tensor([1.0, 1.0, 0.0], requires_grad=True)
print(
    torch.autograd.grad(v.max(), v),
    torch.autograd.grad(v.amax(), v),
    torch.autograd.grad(v.sort().values[2], v),
)
