"""Accumulating into gradients that are views, expanded, shared or of other layouts."""

import warnings

import torch

warnings.simplefilter("ignore")  # layouts of gradients, cycles of create_graph: once a process

w = torch.ones(2, 3, requires_grad=True)
big = torch.zeros(4, 3)
w.grad = big[:2]
(w * 2).sum().backward()
print(big, w.grad._base is big, w.grad._version)
(w * 3).sum().backward()
print(big)
w.grad = big.t()[:, :2].t() if False else torch.zeros(3, 2).t()
(w * torch.arange(3.0)).sum().backward()
print(w.grad, w.grad.stride())
flat = torch.zeros(8)
a = torch.ones(2, requires_grad=True)
b = torch.ones(2, 3, requires_grad=True)
a.grad, b.grad = flat[:2], flat[2:].view(2, 3)
(a.sum() + (b * 2).sum()).backward()
print(flat)
flat.zero_()
print(a.grad, b.grad)
(a.prod() * b.sum()).backward()
print(flat, flat.norm())
g = a.grad
a.grad = None
(a * 5).sum().backward()
print(a.grad is g, g, a.grad)
c = torch.ones(2, requires_grad=True)
c.grad = a.grad
(c * 1).sum().backward()
print(a.grad, c.grad is a.grad)
d = torch.ones(3, requires_grad=True)
y = d * 2
y.retain_grad()
y.sum().backward(retain_graph=True)
first = y.grad
first.mul_(100)
y.sum().backward()
print(y.grad, y.grad is first, d.grad)
e = torch.ones(3, requires_grad=True)
gr = torch.full((3,), 2.0)
e.backward(gr) if False else (e * 1).backward(gr)
print(e.grad is gr, e.grad.data_ptr() == gr.data_ptr(), e.grad)
gr.zero_()
print(e.grad)
h = torch.ones(3, requires_grad=True)
z = h.view(3)
z.backward(gr.add_(3))
print(h.grad)
k = torch.ones(2, requires_grad=True)
k.grad = torch.zeros(2, requires_grad=True) * 1
try:
    (k * 2).sum().backward()
    print(k.grad, k.grad.requires_grad)
except RuntimeError:
    print("RuntimeError")
k.grad = torch.zeros(2, requires_grad=True)
try:
    (k * 2).sum().backward()
    print(k.grad, k.grad.requires_grad)
except RuntimeError:
    print("RuntimeError")
k.grad = torch.ones(2)
with torch.no_grad():
    k.grad[0] = 7
    k.grad.clamp_(max=5)
(k**2).sum().backward(create_graph=True)
print(k.grad, k.grad.requires_grad)
p = torch.ones(2, requires_grad=True)
s1 = p.sum()
s2 = (p * 3).sum()
torch.autograd.backward([s1, s2], [torch.tensor(2.0), torch.tensor(1.0)])
print(p.grad)
torch.autograd.backward(p * 1, torch.ones(2), inputs=[p])
print(p.grad)
