"""How nan and inf pass through reductions, extrema, sorting and their gradients."""

import torch

nan, inf = float("nan"), float("inf")
x = torch.tensor([[1.0, nan, 3.0], [4.0, inf, -2.0]], requires_grad=True)
print(x.sum(), x.mean(1), x.nansum(), x.nanmean(dim=1), x.prod(0))
print(x.max(), x.min(), x.amax(1), x.max(dim=1), x.min(dim=0).indices)
print(x.median(), x.nanmedian(), x.nanmedian(dim=1), x.nanquantile(0.5, dim=1))
print(torch.maximum(x, torch.zeros(())), torch.fmax(x, torch.zeros(())))
x.nansum().backward()
print(x.grad)
x.grad = None
x.nanmean(dim=0).sum().backward()
print(x.grad)
x.grad = None
torch.nan_to_num(x, nan=9.0, posinf=7.0).sum().backward()
print(x.grad)
print(
    torch.nan_to_num(torch.tensor([nan, inf, -inf])),
    torch.nan_to_num(torch.tensor([nan, inf, -inf], dtype=torch.float16)),
)
x.grad = None
x.max().backward()
print(x.grad)
x.grad = None
torch.where(torch.isnan(x), torch.zeros(()), x * 2).sum().backward()
print(x.grad)
print(x.detach().sort(dim=1), x.detach().argmax(), x.detach().argmin(dim=1))
print(x.detach().topk(2, dim=1), x.detach().cummax(dim=1))
print(torch.clamp(x.detach(), 0, 5), x.detach().cumsum(1), x.logsumexp(1))
print(torch.softmax(x, 1), x.std(), x.norm(), torch.sign(x.detach()))
print(torch.unique(torch.tensor([nan, 1.0, nan])), torch.tensor([nan]).equal(torch.tensor([nan])))
