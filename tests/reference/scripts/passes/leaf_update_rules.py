"""How leaves may and may not be updated."""

import torch

w = torch.ones(2, requires_grad=True)
try:
    w += 1
except RuntimeError as e:
    print("a leaf Variable that requires grad" in str(e))
try:
    w[0] = 5.0
except RuntimeError as e:
    print(type(e).__name__)
try:
    w[:1].mul_(2)
except RuntimeError as e:
    print("view of a leaf" in str(e))
with torch.no_grad():
    w += 1
print(w, w.is_leaf, w._version)
w.data -= 0.5
print(w)
w.data = torch.tensor([7.0, 8.0])
print(w, w.requires_grad)
w = w - 1
print(w, w.is_leaf)
w = w.detach().requires_grad_()
w.sum().backward()
print(w.grad)
v = w.clone()
v[0] = 10
v.sum().backward()
print(w.grad)
