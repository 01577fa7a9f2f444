"""A view taken before and after a write; who sees what."""

import torch

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
y = x * 1
before = y[0]
copy = y[0].clone()
y[0] = torch.tensor([10.0, 20.0])
after = y[0]
print(before, copy, after, before.grad_fn, after.grad_fn, copy.grad_fn)
(g,) = torch.autograd.grad(before.sum(), x, retain_graph=True)
print(g)
(g,) = torch.autograd.grad(copy.sum(), x, retain_graph=True)
print(g)
(g,) = torch.autograd.grad(after.sum() + y[1].sum(), x)
print(g)
z = x * 1
a = z.view(4)
b = z.t()
c = a[1:3]
a[0] = 100
b[1, 1] *= 2
c.neg_()
print(z, a, b, c)
(z * torch.tensor([[1.0, 2], [3, 4]])).sum().backward(retain_graph=True)
print(x.grad)
for t in (z, a, b, c):
    (gr,) = torch.autograd.grad(t.sum(), x, retain_graph=True)
    print(gr.tolist(), t.grad_fn, t._version)
w = x * 1
r0, r1 = w[0], w[1]
r0 += r1
r1 *= r0
print(w)
x.grad = None
w.sum().backward()
print(x.grad)
k = x * 1
kk = k.view(-1)
kk[1:] += kk[:-1]
print(k)
x.grad = None
k.prod().backward()
print(x.grad)
