"""Masks: building them, combining them, counting, selecting, writing."""
import torch

x = torch.tensor([[1.0, -2.0, 3.0], [-4.0, 5.0, -6.0]])
m = (x > 0) & (x < 4)
print(m, ~m, m | (x < -5), m ^ True, m.sum(), m.any(1), m.all(), m.float().mean())
print(x[m], x[~m].shape, x[m.any(1)], x[:, m.any(0)])
y = x.clone()
y[m] = 0
y[y < 0] *= -1
print(y)
y[m] = torch.tensor([7.0, 8.0])
print(y)
y[torch.tensor([True, False]), 1] = 50
print(y, m.nonzero(), m.nonzero(as_tuple=True), torch.argwhere(m))
print(x.masked_select(m), torch.where(m, x, -x), x.where(m, torch.tensor(0.0)), x * m)
print(torch.logical_and(m, x > 1), torch.logical_or(m, m), torch.logical_xor(m, ~m), torch.logical_not(m))
w = x.clone().requires_grad_()
(w[w > 0].sum() * 2 + (w * (w < 0)).sum()).backward()
print(w.grad)
w.grad = None
w.clamp(min=0).sum().backward()
print(w.grad)
w.grad = None
torch.where(w > 0, w**2, w.abs()).sum().backward()
print(w.grad)
pad = torch.tensor([2, 3, 1])
mask = torch.arange(3)[None] < pad[:, None]
print(mask)
try:
    x[torch.tensor([True, False, True])]
except IndexError as e:
    print(type(e).__name__)
try:
    y[m] = torch.ones(3)
except (RuntimeError, IndexError) as e:
    print(type(e).__name__)
