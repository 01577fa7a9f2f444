"""Masks as people write them in attention."""

import torch

scores = torch.arange(16.0).view(1, 4, 4).requires_grad_()
causal = torch.ones(4, 4).tril().bool()
m = scores.masked_fill(~causal, float("-inf"))
p = m.softmax(-1)
print(m, p)
p[0, 1, 0].backward(retain_graph=True)
print(scores.grad)
pad = torch.tensor([[True, True, True, False]])
q = scores.masked_fill(pad[:, None, :] == 0, -1e9).softmax(-1)
print(q[0, :, -1], q.grad_fn)
bias = torch.zeros(4, 4).masked_fill_(causal.logical_not(), float("-inf"))
print(bias, (scores + bias).argmax(-1))
add = torch.full((4, 4), float("-inf")).triu_(1)
print(add)
add.fill_diagonal_(5)
print(add)
lengths = torch.tensor([2, 4, 0])
mask = torch.arange(4)[None, :] < lengths[:, None]
print(mask, mask.sum(1), mask.int(), (~mask).nonzero())
x = torch.arange(12.0).view(3, 4)
x[~mask] = 0
print(x, x.sum(1) / lengths.clamp(min=1), (x * mask).max(1))
print(
    torch.where(mask, x, torch.tensor(float("nan"))).nanmean(1)
    if hasattr(torch.Tensor, "nanmean")
    else None
)
w = torch.ones(4, requires_grad=True)
y = torch.zeros(3, 4).masked_scatter(mask, w.repeat(2)[:6])
print(y)
y.sum().backward()
print(w.grad)
print(
    mask.any(1),
    mask.all(1),
    mask.logical_xor(mask.flip(1)),
    mask & mask.flip(1),
    mask.cumsum(1),
    mask.float().argmin(1),
    mask.to(torch.uint8),
)
