"""Checkpoints in checkpoints, with batch norm, dropout, keywords, several results."""
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

count = {"outer": 0, "inner": 0}


def inner(x):
    count["inner"] += 1
    return torch.sin(x) * x


def outer(x, w):
    count["outer"] += 1
    y = checkpoint(inner, x * w, use_reentrant=False)
    return y.exp()


x = torch.tensor([0.3, -0.6], requires_grad=True)
w = torch.tensor([1.5, 0.5], requires_grad=True)
y = checkpoint(outer, x, w, use_reentrant=False)
print(count)
y.sum().backward()
print(count["outer"], count["inner"] >= 2, x.grad, w.grad)
gx = x.grad.clone()
x.grad = w.grad = None
torch.exp(torch.sin(x * w) * (x * w)).sum().backward()
print(torch.allclose(gx, x.grad))
bn = nn.BatchNorm1d(2)
data = torch.tensor([[1.0, 2.0], [3.0, 5.0], [0.0, -1.0]], requires_grad=True)
checkpoint(bn, data, use_reentrant=False).pow(2).sum().backward()
print(bn.num_batches_tracked, bn.running_mean, bn.weight.grad)


def split(x, scale=1.0, *, shift=0.0):
    return x * scale, {"b": x + shift}, [x.sum(), 3]


a, d, l = checkpoint(split, x, 2.0, shift=1.0, use_reentrant=False)
print(a, d, l)
x.grad = None
(a.sum() + (d["b"] ** 2).sum() + l[0]).backward()
print(x.grad)


def early(x):
    y = x.exp()
    z = y.sin()
    return z * 2


for stop in (True, False):
    with torch.utils.checkpoint.set_checkpoint_early_stop(stop):
        out = checkpoint(early, x, use_reentrant=False)
    print(torch.autograd.grad(out.sum(), x))
seg = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])
for k, m in enumerate(seg):
    nn.init.constant_(m.weight, 0.3 + k / 10)
    nn.init.zeros_(m.bias)
h = x.unsqueeze(0)
for m in seg:
    h = checkpoint(m, h, use_reentrant=False).tanh()
h.sum().backward()
print(h, seg[0].weight.grad)
out = checkpoint(lambda t: t, x, use_reentrant=False)
print(out is x, out.grad_fn)
none = checkpoint(lambda t: None, x, use_reentrant=False)
print(none)
with torch.enable_grad(), torch.no_grad():
    print(checkpoint(early, x, use_reentrant=False).requires_grad)
