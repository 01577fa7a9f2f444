"""Embedding tables: repeated tokens, padding index, one-hot products, tied weights."""
import torch
import torch.nn.functional as F
from torch import nn

table = torch.arange(8.0).view(4, 2).div(4).requires_grad_()
tokens = torch.tensor([[1, 3], [1, 0]])
e = F.embedding(tokens, table)
print(e, e.grad_fn.name())
e.sum().backward()
print(table.grad)
table.grad = None
F.embedding(tokens, table, padding_idx=1).sum().backward()
print(table.grad)
table.grad = None
oh = F.one_hot(tokens, 4)
print(oh, oh.dtype)
(oh.float() @ table).sum().backward()
print(table.grad)
emb = nn.Embedding(4, 2)
out = nn.Linear(2, 4, bias=False)
out.weight = emb.weight
print(len({id(p) for p in list(emb.parameters()) + list(out.parameters())}))
with torch.no_grad():
    emb.weight.copy_(table)
loss = F.cross_entropy(out(emb(torch.tensor([0, 1]))), torch.tensor([2, 3]))
loss.backward()
print(loss, emb.weight.grad, out.weight.grad is emb.weight.grad)
print(emb, nn.Embedding(3, 1, padding_idx=0).weight[0])
