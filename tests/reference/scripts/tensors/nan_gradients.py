"""Where nan comes from in gradients, and the where trick."""

import torch

x = torch.tensor([0.0, 1.0], requires_grad=True)
torch.where(x > 0, x.sqrt(), torch.zeros(2)).sum().backward()
print(x.grad)
x.grad = None
safe = torch.where(x > 0, x, torch.ones(2))
torch.where(x > 0, safe.sqrt(), torch.zeros(2)).sum().backward()
print(x.grad)
for f in (lambda t: t.norm(), lambda t: t.pow(0.5).sum(), lambda t: (t / t).sum(), lambda t: t.log().sum(), lambda t: t.std(), lambda t: (t * float("inf")).sum(), lambda t: t.abs().sqrt().sum(), lambda t: t.acos().sum()):
    z = torch.zeros(2, requires_grad=True)
    out = f(z)
    out.backward()
    print(out.detach(), z.grad)
y = torch.tensor([float("nan"), 1.0], requires_grad=True)
(y * torch.tensor([0.0, 2.0])).sum().backward()
print(y.grad, torch.isnan(y).any(), y.nansum(), torch.nan_to_num(y), y.clamp(0, 1))
