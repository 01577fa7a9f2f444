"""Views made under no_grad, and in-place changes of them."""

import torch

base = torch.ones(4, requires_grad=True) * 1
with torch.no_grad():
    v = base[:2]
print(v.requires_grad, v._is_view(), v._base is base)
try:
    v.mul_(2)
    print("changed", v.requires_grad)
except RuntimeError as e:
    print(type(e).__name__, "no_grad" in str(e))
with torch.no_grad():
    w = base[2:]
    w.mul_(5)
print(base.detach(), base._version)
leaf = torch.ones(3, requires_grad=True)
with torch.no_grad():
    leaf[0] = 7.0
    leaf.view(3)[1].fill_(8.0)
print(leaf)
leaf.sum().backward()
print(leaf.grad)
chunks = (leaf * 1).split(1)
try:
    chunks[0].add_(1)
except RuntimeError as e:
    print(type(e).__name__, "multiple views" in str(e))
