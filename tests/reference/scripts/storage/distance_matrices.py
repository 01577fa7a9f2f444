"""Pairwise distances: cdist, by broadcasting, by the square trick; their gradients at zero."""
import torch
import torch.nn.functional as F

a = torch.tensor([[0.0, 0.0], [3.0, 4.0]], requires_grad=True)
b = torch.tensor([[0.0, 1.0], [3.0, 0.0], [6.0, 8.0]], requires_grad=True)
d1 = torch.cdist(a, b)
d2 = (a[:, None] - b[None]).norm(dim=-1)
d3 = ((a**2).sum(1)[:, None] + (b**2).sum(1)[None] - 2 * a @ b.T).sqrt()
print(d1, d2, d3)
for d in (d1, d2, d3):
    ga, gb = torch.autograd.grad(d.sum(), (a, b), retain_graph=True)
    print(ga, gb)
s = torch.cdist(a, a)
print(s)
(g,) = torch.autograd.grad(s.sum(), a)
print(g)
print(torch.cdist(a, b, p=1), torch.cdist(a, b, p=float("inf")))
print(torch.dist(a, b[:2]), torch.dist(a, b[:2], p=1), F.pairwise_distance(a, b[:2]))
print(F.cosine_similarity(a, b[:2]), F.cosine_similarity(a[:, None], b[None], dim=-1))
print(torch.pdist(b))
print((d1 < 3.5).sum(), d1.argmin(1), d1.min(dim=1))
x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
K = torch.exp(-((x[:, None] - x[None]) ** 2) / 2)
K.logdet().backward()
print(K, x.grad)
