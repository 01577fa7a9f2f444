"""Choosing rows of parameters and writing gradients to some of them."""

import torch

w = torch.arange(6.0).view(3, 2).requires_grad_()
rows = torch.tensor([0, 2])
loss = (w[rows] ** 2).sum()
loss.backward()
print(w.grad)
w.grad[1] = 7
w.grad[w.grad > 6] = 0
w.grad[:, 1] *= -1
print(w.grad)
with torch.no_grad():
    w[rows] -= 0.1 * w.grad[rows]
    w[1, 1].fill_(100)
print(w, w._version)
w.grad.masked_fill_(torch.tensor([[True, False]] * 3), 0)
print(w.grad)
norm = w.grad.norm()
w.grad.div_(norm)
print(round(w.grad.norm().item(), 4))
w.register_hook(lambda g: g.index_fill(0, torch.tensor([0]), 0))
w.grad = None
w.sum().backward()
print(w.grad)
frozen = torch.tensor([True, False, True])
w.grad[frozen] = 0
print(w.grad)
g = torch.autograd.grad((w[:, 0] * w[:, 1]).sum(), w)[0]
print(g, g._version, g.requires_grad)
g[0] = 0
print(g)
v = w.select(0, 1)
(gv,) = torch.autograd.grad((v**2).sum(), v)
print(gv)
try:
    torch.autograd.grad((w**2).sum(), w[1])
except RuntimeError:
    print("RuntimeError")
s = w[1]
out = (w.detach()[0] * s).sum()
print(torch.autograd.grad(out, [w, s], allow_unused=True))
sp = w.grad.to_sparse() if False else w.grad.nonzero()
print(sp)
