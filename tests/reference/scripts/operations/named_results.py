"""Named tuples of results: repr, fields, unpacking, keyword access."""

import torch

x = torch.tensor([[4.0, 1.0], [2.0, 3.0]])
for r in [
    x.max(1),
    x.min(0),
    x.sort(),
    x.topk(1),
    x.median(0),
    x.nanmedian(0),
    x.mode(0),
    x.kthvalue(1),
    x.cummax(0),
    x.cummin(0),
    x.aminmax(),
    torch.linalg.slogdet(x),
    torch.linalg.eigh(x @ x.T),
    torch.linalg.qr(x)[:0],
    torch.linalg.inv_ex(x),
    torch.linalg.cholesky_ex(x @ x.T),
    torch.linalg.lu_factor(x),
    torch.linalg.solve_ex(x, x),
]:
    print(type(r).__name__, type(r).__module__, len(r))
    print(r)
values, indices = x.max(dim=1)
print(values, indices)
print(x.max(1).indices.dtype, x.max(1) == x.max(1) if False else "", tuple(x.sort(1))[0])
try:
    x.max(1).values = 3
except Exception as error:
    print(type(error).__name__)
y = x.clone().requires_grad_()
print(y.max(1), y.sort(descending=True))
print(torch.linalg.qr(x).R.shape, torch.linalg.svd(x).S, torch.svd(x).V.shape)
