"""Picking per-row entries: gather, take_along_dim, advanced indexing; accuracy, top-k masks."""
import torch

logits = torch.tensor([[1.0, 3.0, 2.0], [0.5, 0.1, 0.2], [2.0, 2.5, 9.0]], requires_grad=True)
target = torch.tensor([1, 2, 2])
pred = logits.argmax(dim=1)
print(pred, (pred == target).float().mean(), pred.eq(target).sum().item())
a = logits.gather(1, target.view(-1, 1)).squeeze(1)
b = logits[torch.arange(3), target]
c = torch.take_along_dim(logits, target[:, None], 1)[:, 0]
print(a, b, c)
loss = -(logits.log_softmax(1)[range(3), target]).mean()
loss.backward()
print(loss, logits.grad)
values, idx = logits.topk(2, dim=1)
mask = torch.zeros_like(logits, dtype=torch.bool).scatter_(1, idx, True)
print(mask, logits.masked_fill(~mask, 0.0))
sorted_, order = logits.sort(dim=1, descending=True)
print(order, torch.equal(logits.gather(1, order), sorted_))
inverse = order.argsort(1)
print(torch.equal(sorted_.gather(1, inverse), logits))
conf = torch.zeros(3, 3, dtype=torch.long)
conf.index_put_((target, pred), torch.ones(3, dtype=torch.long), accumulate=True)
print(conf)
