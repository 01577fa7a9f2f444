"""Hand-written updates in place, momentum buffers, swapping data."""

import torch

torch.manual_seed(0)
w = torch.linspace(-1, 1, 4, dtype=torch.float64).view(2, 2).requires_grad_()
b = torch.zeros(2, dtype=torch.float64, requires_grad=True)
x = torch.tensor([[1.0, 2], [3, 4], [5, 6]], dtype=torch.float64)
t = torch.tensor([[1.0, 0], [0, 1], [1, 1]], dtype=torch.float64)
m = [torch.zeros_like(p) for p in (w, b)]
for step in range(3):
    loss = ((x @ w + b - t) ** 2).mean()
    for p in (w, b):
        if p.grad is not None:
            p.grad.detach_()
            p.grad.zero_()
    loss.backward()
    with torch.no_grad():
        for p, v in zip((w, b), m):
            v.mul_(0.9).add_(p.grad)
            p.add_(v, alpha=-0.01)
    print(step, round(loss.item(), 6), w._version, b._version, m[0]._version, w.grad._version)
print(w, b)
for p in (w, b):
    p.data -= 0.1 * p.grad.data
    p.data.addcdiv_(p.grad, p.grad.abs() + 1, value=-0.01)
    p.grad = None
print(w, b, w._version)
try:
    w -= 0.1
except RuntimeError:
    print("RuntimeError")
old = w
w = w - 0.1
print(w.is_leaf, old.is_leaf, w.grad_fn)
with torch.no_grad():
    old -= 0.1
    old[0, 0] = 7
    old[:, 1] *= 2
print(old, old.requires_grad, old.is_leaf, old.grad_fn)
with torch.no_grad():
    q = old * 2
    q += 1
print(q.requires_grad, q.is_leaf)
torch.nn.init.constant_(old, 0.5)
print(old)
ema = old.detach().clone()
ema.lerp_(torch.ones(2, 2, dtype=torch.float64), 0.25)
print(ema, ema.mul_(0.5).add_(old, alpha=0.5))
