"""scatter, index_add, segment means: gradients with repeated indices."""

import torch

src = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0], requires_grad=True)
idx = torch.tensor([0, 1, 0, 2, 1])
sums = torch.zeros(3).index_add(0, idx, src)
counts = torch.zeros(3).index_add(0, idx, torch.ones(5))
means = sums / counts
print(sums, counts, means)
(means**2).sum().backward()
print(src.grad)
src.grad = None
out = torch.zeros(3).scatter_add(0, idx, src * 2)
out.prod().backward()
print(out, src.grad)
src.grad = None
buf = torch.zeros(3)
buf.scatter_(0, torch.tensor([2, 0]), src[:2])
buf.index_fill_(0, torch.tensor([1]), 9.0)
buf.sum().backward()
print(buf, src.grad)
emb = torch.arange(6.0).reshape(3, 2).requires_grad_()
rows = emb[torch.tensor([0, 2, 2])]
(rows * torch.tensor([[1.0], [2.0], [3.0]])).sum().backward()
print(emb.grad)
emb.grad = None
torch.nn.functional.embedding(torch.tensor([[1, 1]]), emb).sum().backward()
print(emb.grad, emb.index_select(0, torch.tensor([1])).grad_fn.name())
