"""Losses over valid positions only."""

import torch

pred = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
target = torch.tensor([[1.5, 2.0, 0.0], [3.0, 0.0, 0.0]])
mask = torch.tensor([[True, True, False], [True, False, False]])
loss = ((pred - target) ** 2)[mask].mean()
loss.backward()
print(loss, pred.grad)
pred.grad = None
loss = (((pred - target) ** 2) * mask).sum() / mask.sum()
loss.backward()
print(loss, pred.grad)
pred.grad = None
torch.where(mask, pred, torch.zeros(())).sum().backward()
print(pred.grad)
pred.grad = None
pred.masked_fill(~mask, -1e9).softmax(-1).max(-1).values.sum().backward()
print(pred.grad)
print(pred.masked_select(mask), mask.float().sum(1), mask.sum().item(), torch.masked_select(pred, pred > 2).grad_fn)
pred.grad = None
torch.nan_to_num(torch.log(pred - 1), neginf=0.0)[0].sum().backward()
print(pred.grad)
