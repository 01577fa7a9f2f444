"""Masked means, padded batches, ignored targets."""

import torch
import torch.nn.functional as F

lengths = torch.tensor([3, 1, 2])
mask = torch.arange(4)[None, :] < lengths[:, None]
print(mask, mask.sum(1), mask.float().mean())
x = torch.arange(12.0).view(3, 4).requires_grad_()
mean = (x * mask).sum(1) / mask.sum(1)
print(mean)
mean.sum().backward()
print(x.grad)
x.grad = None
x.masked_fill(~mask, float("-inf")).max(1).values.sum().backward()
print(x.grad)
x.grad = None
p = x.masked_fill(~mask, -1e9).softmax(1)
print(p)
(p[:, 0]).sum().backward()
print(x.grad)
x.grad = None
bad = torch.where(mask, x, torch.tensor(float("nan")))
bad.nansum(1).sum().backward()
print(x.grad, bad.nanmean(1))
x.grad = None
y = torch.where(mask, torch.sqrt(x - 2), torch.zeros(()))
y.nansum().backward()
print(y.detach(), x.grad)
logits = torch.tensor([[[2.0, 0.5], [0.1, 0.2]], [[1.0, -1.0], [0.0, 0.0]]], requires_grad=True)
target = torch.tensor([[0, 1], [1, -100]])
loss = F.cross_entropy(logits.view(-1, 2), target.view(-1))
loss.backward()
print(loss, logits.grad)
print(
    F.cross_entropy(logits.transpose(1, 2), target, reduction="none"),
    F.nll_loss(
        logits.log_softmax(-1).flatten(0, 1), target.flatten(), ignore_index=-100, reduction="sum"
    ),
)
print(
    F.cross_entropy(logits[0], torch.tensor([-100, -100])),
    mask.nonzero().T,
    mask.long().argmax(1),
    mask.any(0),
    mask.all(1),
    (~mask).cumsum(1),
)
x.data[mask] = 0
print(x)
