"""Embedding rows that are looked up get gradients, the others zeros."""

import torch
from torch import nn

emb = nn.Embedding(5, 2, padding_idx=0)
with torch.no_grad():
    emb.weight.copy_(torch.arange(10.0).view(5, 2))
idx = torch.tensor([[1, 2, 1], [0, 4, 4]])
out = emb(idx)
print(out.shape, out[0])
out.sum().backward()
print(emb.weight.grad)
table = nn.Embedding.from_pretrained(torch.eye(3))
print(table(torch.tensor([2, 0])), table.weight.requires_grad)
try:
    emb(torch.tensor([5]))
except IndexError as err:
    print(type(err).__name__)
try:
    emb(torch.tensor([1.0]))
except RuntimeError as err:
    print(type(err).__name__)
print(nn.functional.one_hot(torch.tensor([0, 2, 1])), nn.functional.one_hot(torch.tensor([1]), 4))
