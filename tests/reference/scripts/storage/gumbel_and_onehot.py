"""One-hot tensors by scatter_, straight-through estimators, gather of losses."""

import torch
import torch.nn.functional as F

logits = torch.tensor([[0.1, 2.0, -1.0], [1.0, 0.0, 0.5]], requires_grad=True)
soft = logits.softmax(-1)
index = soft.max(-1, keepdim=True)[1]
hard = torch.zeros_like(
    logits, memory_format=torch.legacy_contiguous_format if False else torch.preserve_format
).scatter_(-1, index, 1.0)
ret = hard - soft.detach() + soft
print(index, hard, ret, ret.grad_fn)
(ret * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
print(logits.grad)
target = torch.tensor([1, 2])
nll = -logits.log_softmax(1).gather(1, target.unsqueeze(1)).squeeze(1)
print(nll, nll.mean(), F.cross_entropy(logits, target), nll.grad_fn)
print(F.one_hot(target, 3), F.one_hot(target).dtype, torch.eye(3)[target])
counts = torch.zeros(4).scatter_add_(0, torch.tensor([0, 1, 1, 3, 3, 3]), torch.ones(6))
emb = torch.arange(8.0).view(4, 2).requires_grad_()
out = emb[torch.tensor([[0, 3], [3, 3]])]
print(out.shape, out.grad_fn)
out.sum().backward()
print(emb.grad)
emb.grad = None
F.embedding(torch.tensor([0, 2, 2]), emb).pow(2).sum().backward()
print(emb.grad)
conf = torch.zeros(3, 3, dtype=torch.long)
for a, b in zip(torch.tensor([0, 1, 2, 2]), torch.tensor([0, 2, 2, 1])):
    conf[a, b] += 1
print(conf, conf.diag().sum(), conf.diagonal().sum() / conf.sum())
acc = torch.zeros(3, 3, dtype=torch.long).index_put_(
    (torch.tensor([0, 1, 2, 2]), torch.tensor([0, 2, 2, 1])), torch.tensor(1), accumulate=True
)
print(torch.equal(conf, acc))
topv, topi = logits.topk(2, dim=1)
print(topv, topi, logits.gather(1, topi), torch.zeros(2, 3).scatter_(1, topi, topv.detach()))
smooth = torch.full((2, 3), 0.1).scatter_(1, target[:, None], 0.8)
print(smooth, -(smooth * logits.log_softmax(1)).sum(1))
