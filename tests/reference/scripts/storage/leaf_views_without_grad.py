"""Views of parameters: reading is recorded, writing needs no_grad."""
import torch

p = torch.nn.Parameter(torch.arange(6.0).view(2, 3))
row, column = p[0], p[:, 1]
print(row.grad_fn.name(), column.is_leaf, row._base is p)
(row.sum() + column.prod()).backward()
print(p.grad)
with torch.no_grad():
    p[0] = -1
    p[:, 2].mul_(10)
    p.view(-1)[4] = 7
print(p, p._version)
print(row, column)
try:
    p[1] += 1
except RuntimeError as e:
    print(type(e).__name__)
p.data[1] += 1
print(p.data, p._version)
p.requires_grad_(False)
p[1] = 0
print(p)
p.requires_grad_()
print(p.is_leaf, p.grad.sum())
