"""Accuracy, confusion matrix, top-k: integer tensor work."""

import torch

pred = torch.tensor([0, 2, 1, 2, 0, 1])
true = torch.tensor([0, 1, 1, 2, 2, 1])
m = torch.zeros(3, 3, dtype=torch.int64)
for t, p in zip(true, pred):
    m[t, p] += 1
print(m, m.diag(), m.sum(1), m.diag() / m.sum(1), (pred == true).float().mean(), torch.trace(m))
m2 = torch.bincount(true * 3 + pred, minlength=9).view(3, 3)
print(torch.equal(m, m2), pred.unique(), torch.unique(true, return_counts=True), true.bincount())
scores = torch.tensor([[0.1, 0.7, 0.2], [0.5, 0.2, 0.3]])
values, idx = scores.topk(2, dim=1)
print(values, idx, scores.argmax(1), (idx == torch.tensor([[2], [0]])).any(1), scores.sort(descending=True).indices[:, 0])
print(torch.histc(torch.tensor([0.1, 0.2, 0.9]), bins=2, min=0, max=1), true.float().mean(), true.float().std(), true.median(), true.mode())
