"""One base, many views, a history of writes; every gradient stays right."""

import torch

x = torch.arange(1.0, 7.0, dtype=torch.float64, requires_grad=True)
b = x.clone()
v1 = b.view(2, 3)
v2 = v1[0]
v3 = v1.t()
v4 = b[::2]
log = []


def state(tag):
    print(tag, b.tolist(), b._version, [type(t.grad_fn).__name__ for t in (b, v1, v2, v3, v4)])


state("start")
v2.mul_(2)
state("row")
v3[2].add_(x[0])
state("col")
b.pow_(2)
state("base")
v4.copy_(v4.flip(0))
state("flip")
v1[1, 1:] = 0
state("zero")
v3.diagonal().neg_()
state("diag")
w = torch.arange(1.0, 7.0, dtype=torch.float64)
for t in (b, v1.reshape(-1)):
    (g,) = torch.autograd.grad((t * w).sum(), x, retain_graph=True)
    print(g)
for t in (v2, v3, v4):
    (g,) = torch.autograd.grad((t**2).sum(), x, retain_graph=True)
    print(g)


def f(x):
    b = x.clone()
    v = b.view(2, 3)
    v[0].mul_(2)
    v.t()[2].add_(x[0])
    b.pow_(2)
    b[::2].copy_(b[::2].flip(0))
    v[1, 1:] = 0
    v.t().diagonal().neg_()
    return b


print(torch.equal(f(x), b), torch.autograd.gradcheck(f, x), torch.autograd.gradgradcheck(f, x))
J = torch.autograd.functional.jacobian(f, x.detach())
print(J)
