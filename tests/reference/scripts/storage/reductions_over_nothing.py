"""Reductions of zero-size dims and over no dims."""
import torch

e = torch.zeros(2, 0)
for name in ["sum", "prod", "mean", "std", "var", "logsumexp", "norm", "any", "all", "amax", "argmax", "cumsum", "median", "softmax", "max", "nansum", "count_nonzero"]:
    f = getattr(torch, name)
    for dim in (0, 1):
        try:
            r = f(e, dim=dim)
            r = r[0] if isinstance(r, tuple) else r
            print(name, dim, tuple(r.shape), r.tolist())
        except (IndexError, RuntimeError) as err:
            print(name, dim, type(err).__name__)
print(e.sum(), e.prod(), e.mean(), e.any(), e.all(), e.norm())
print(torch.zeros(3).sum(dim=()), torch.zeros(3).sum(dim=[]), torch.ones(2, 3).mean(dim=()))
x = torch.zeros(2, 0, requires_grad=True)
(x.sum() + x.mean(0).sum() + x.prod()).backward()
print(x.grad.shape)
