"""masked_fill, masked_scatter, masked_select."""

import torch

x = torch.arange(6.0).view(2, 3).requires_grad_()
m = torch.tensor([[True, False, True], [False, True, False]])
f = x.masked_fill(m, -1.0)
print(f, f.grad_fn)
v = torch.tensor(9.0, requires_grad=True)
g = x.masked_fill(m, v)
g.sum().backward()
print(g, x.grad, v.grad)
x.grad = None
src = torch.arange(10.0, 20.0, requires_grad=True)
h = x.masked_scatter(m, src)
print(h, h.grad_fn)
(h * 2).sum().backward()
print(x.grad, src.grad)
s = x.masked_select(m)
print(s, s.grad_fn, torch.masked_select(x, m[0]), x.masked_select(x > 100))
y = x.detach().clone()
y.masked_fill_(m, float("nan"))
print(y, y._version)
y.masked_fill_(y.isnan(), 0).masked_scatter_(m, src.detach())
print(y, y._version)
print(torch.masked_fill(y, m[0], 3), y.masked_fill(torch.tensor(True), 1))
print(
    torch.arange(3).masked_fill(torch.tensor([True, False, True]), 7),
    torch.zeros(3, dtype=torch.bool).masked_fill(torch.tensor([True, False, True]), True),
)
for bad in (
    lambda: y.masked_fill(torch.tensor([1, 0, 1]), 0),
    lambda: y.masked_fill(m, torch.ones(2)),
    lambda: y.masked_scatter(m, torch.ones(1)),
    lambda: torch.arange(3).masked_fill(m[0], 1.5),
    lambda: y.masked_fill_(torch.ones(2, 2, 3, dtype=torch.bool), 1),
    lambda: x.masked_fill_(m, 0),
    lambda: y.masked_scatter(m, torch.ones(6).double()),
    lambda: y.masked_select(torch.tensor([1, 0, 1])),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
