"""Embedding rows: only those looked up get a gradient."""
import torch
from torch import nn

torch.manual_seed(2)
emb = nn.Embedding(5, 3, padding_idx=0)
print(emb, emb.weight[0], emb.weight.shape)
with torch.no_grad():
    emb.weight.copy_(torch.arange(15.0).view(5, 3))
idx = torch.tensor([[1, 2], [2, 0]])
out = emb(idx)
print(out, out.shape)
out.sum().backward()
print(emb.weight.grad)
emb.zero_grad()
(emb(torch.tensor(4)) * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
print(emb.weight.grad[4], emb.weight.grad[:4].abs().sum())
opt = torch.optim.SGD(emb.parameters(), lr=1.0)
opt.step()
print(emb.weight[4], emb.weight[3])
for bad in (torch.tensor([5]), torch.tensor([-1]), torch.tensor([1.0])):
    try:
        print(emb(bad))
    except Exception as e:
        print(type(e).__name__)
e2 = nn.Embedding.from_pretrained(torch.eye(3))
print(e2.weight.requires_grad, e2(torch.tensor([2, 0])), e2)
e3 = nn.Embedding.from_pretrained(torch.eye(2), freeze=False)
print(e3.weight, e3.num_embeddings, e3.embedding_dim, e3.padding_idx)
w = torch.arange(6.0).view(3, 2).requires_grad_()
sel = w[torch.tensor([0, 2, 0])]
sel.sum().backward()
print(sel, w.grad)
w.grad = None
torch.nn.functional.embedding(torch.tensor([1, 1]), w).pow(2).sum().backward()
print(w.grad)
bag = nn.EmbeddingBag(4, 2, mode="sum") if hasattr(nn, "EmbeddingBag") else None
print(nn.Embedding(4, 2, max_norm=1.0).max_norm, emb.weight.grad.stride())
