"""Views made under no_grad, and what writing to them does."""
import torch

x = torch.ones(4, requires_grad=True)
with torch.no_grad():
    v = x[:2]
print(v.requires_grad, v.is_leaf, v.grad_fn, v._is_view())
y = x * 1
with torch.no_grad():
    w = y[:2]
    print(w.requires_grad, w.grad_fn, w._base is y)
try:
    w.mul_(2)
except RuntimeError as e:
    print(type(e).__name__, "no_grad" in str(e))
with torch.no_grad():
    w.mul_(3)
print(y, y._version, y.grad_fn)
y.sum().backward()
print(x.grad)

z = torch.zeros(3)
with torch.no_grad():
    zv = z[:1]
zv.add_(1)
print(z)
leaf = torch.zeros(3, requires_grad=True)
with torch.no_grad():
    lv = leaf.view(-1)
try:
    lv.add_(1)
except RuntimeError as e:
    print(type(e).__name__)
with torch.no_grad():
    lv.add_(1)
print(leaf, leaf._version)


@torch.no_grad()
def ema(target, source, decay=0.9):
    target.mul_(decay).add_(source, alpha=1 - decay)


t, s = torch.zeros(2, requires_grad=True), torch.ones(2, requires_grad=True)
for _ in range(3):
    ema(t, s)
print(t, t.is_leaf, t._version)
