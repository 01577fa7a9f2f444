"""Parameters that are views, slices used as weights, transposed ties."""
import torch
from torch import nn
base = nn.Parameter(torch.arange(6.0).reshape(2, 3))
row, col = base[0], base[:, 1]
loss = (row * 2).sum() + (col ** 2).sum() + base.t().sum()
loss.backward()
print(base.grad, row.is_leaf, row._base is base, row.grad_fn.name(), col.grad_fn.name())
base.grad = None
with torch.no_grad():
    base[0] = 100
    base[:, 0].mul_(2)
print(base, row, base._version, row._version)
try:
    print(row)
    (row * 1).sum().backward()
    print(base.grad)
except RuntimeError as e:
    print(type(e).__name__)
class Auto(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[1.0, 2.0], [0.0, 1.0]]))
    def forward(self, x):
        h = nn.functional.linear(x, self.w)
        return nn.functional.linear(h, self.w.t())
m = Auto()
x = torch.tensor([[1.0, -1.0]])
m(x).pow(2).sum().backward()
print(m(x), m.w.grad)
flat = nn.Parameter(torch.zeros(5))
parts = {"w": flat[:4].view(2, 2), "b": flat[4:]}
out = nn.functional.linear(x, parts["w"], parts["b"])
print(out, out.grad_fn.name(), parts["b"].grad_fn.name())
out.sum().backward()
print(flat.grad, parts["w"].is_leaf)
opt = torch.optim.SGD([flat], lr=1.0)
opt.step()
print(flat, parts["w"].detach(), parts["b"].detach())
try:
    torch.optim.SGD([parts["w"]], lr=1.0)
except ValueError as e:
    print(type(e).__name__)
p = nn.Parameter(torch.ones(4))
v = nn.Parameter(p.data[:2])
with torch.no_grad():
    v.add_(5)
print(p, v, v._base, v.is_leaf)
(v.sum() + p.sum()).backward()
print(v.grad, p.grad)
e = nn.Parameter(torch.ones(1)).expand(3)
e.sum().backward()
print(e.is_leaf, e.requires_grad, e.stride())
s = nn.Parameter(torch.ones(2, 2))
a, b = s
print(a.grad_fn.name(), a.is_leaf, [t.grad_fn.name() for t in s.unbind()], [t._base is s for t in s.chunk(2)])
try:
    with torch.no_grad():
        a.add_(1)
    print(s)
    a.sum().backward()
    print(s.grad)
except RuntimeError as err:
    print(type(err).__name__)
