"""Functions with several results: unpacking, names, indices, printing."""
import torch

x = torch.tensor([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]])
for r in [x.max(1), x.min(0), x.sort(1), x.topk(2), x.median(1), x.mode(1), x.kthvalue(2), x.cummax(1), x.aminmax(dim=1),
          torch.linalg.slogdet(x[:, :2]), torch.linalg.eigh(torch.eye(2)), torch.nanmedian(x, 1)]:
    print(type(r).__name__, len(r), isinstance(r, tuple))
    print(r)
values, indices = x.max(dim=1)
print(values, indices, x.max(1)[1], x.sort().indices, x.topk(1, dim=0).values)
a, b = torch.var_mean(x)
print(a, b, torch.std_mean(x, 0)[1])
print(x.max(1).values.sum() + x.max(1).indices.sum(), x.unique(return_counts=True)[1])
q, r = torch.linalg.qr(torch.eye(2))
print(q.abs(), r.abs())
first, *rest = x.unbind(1)
print(first, len(rest))
