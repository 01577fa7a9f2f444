"""Reductions with all their argument forms: dim, tuples, keepdim, axis, dtype, names."""
import torch

x = torch.arange(24.0).view(2, 3, 4)
print(x.sum(), torch.sum(x, 0).shape, x.sum((0, 2)), x.sum(dim=(0, -1), keepdim=True).shape)
print(x.sum(axis=1).shape, x.sum(dim=[0, 1]), torch.sum(input=x, dim=1, keepdim=True).shape)
print(x.sum(1, True).shape, x.sum(dim=None), x.sum(()).shape, torch.sum(x, dim=-1, keepdims=True).shape)
print(x.mean(), x.mean(0).shape, x.mean((1, 2)), x.mean(axis=(0, 1)), torch.mean(x, dim=2, keepdim=True).shape)
print(x.std(), x.std(0)[0], x.std(dim=(0, 2)), x.std(unbiased=False), x.std(1, correction=0)[0, 0])
print(x.var(), torch.var(x, dim=1, unbiased=False)[0], x.var((0, 1), keepdim=True).shape)
print(torch.var_mean(x, dim=2)[0].shape, [t.item() for t in torch.std_mean(x)])
print(x.prod(0)[0], x[:, :, :2].prod(2, keepdim=True).shape, torch.prod(torch.tensor([2, 3])))
print(x.amax((0, 1)), x.amin(dim=2, keepdim=True).shape, torch.amax(x), x.amax(-1)[1])
print(torch.aminmax(x), x.aminmax(dim=2)[0].shape)
print(x.logsumexp(2).shape, torch.logsumexp(x, dim=(0, 1)), x.logsumexp(-1, keepdim=True)[1, 1])
print(x.norm(), x.norm(1), x.norm(p=3), x.norm(dim=1).shape, x.norm(2, 0, True).shape)
print(x.norm(float("inf")), x.norm(dim=(0, 1)), torch.norm(x, dim=2)[0], torch.norm(x[0], p="fro"))
print((x > 5).any(), (x > 5).all(dim=2), (x > 5).any(0).shape, torch.all(x >= 0), x.bool().any((0, 1)))
print(x.argmax(), x.argmax(1)[0], x.argmin(dim=2, keepdim=True).shape, torch.argmax(x, axis=0).shape)
print(torch.count_nonzero(x), x.count_nonzero(dim=(0, 1)), x.nansum(1).shape, x.nanmean(0)[0])
print(x.sum(dtype=torch.float64).dtype, torch.tensor([True, True]).sum(), torch.ones(3, dtype=torch.int8).sum().dtype)
print(torch.tensor([1, 2]).mean(dtype=torch.float32), torch.tensor(5.0).sum(0), torch.tensor(5.0).max())
for bad in [lambda: x.sum(3), lambda: x.sum((0, 0)), lambda: torch.tensor([1, 2]).mean(),
            lambda: torch.zeros(0).max(), lambda: torch.zeros(2, 0).amax(1), lambda: x.sum("a")]:
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
print(torch.zeros(0).sum(), torch.zeros(0).mean(), torch.zeros(0).prod(), torch.zeros(2, 0).sum(1))
print(torch.zeros(0, 3).amax(1).shape, torch.zeros(0, 3).mean(0))
