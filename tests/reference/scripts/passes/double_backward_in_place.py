"""Second order through in-place operations and index assignment."""

import torch

x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)


def f(x):
    y = x * x
    y[0] *= x[1]
    y.mul_(x)
    y[1:] += x[:2] ** 2
    return y.sum()


(g,) = torch.autograd.grad(f(x), x, create_graph=True)
print(g.detach())
H = torch.stack([torch.autograd.grad(gi, x, retain_graph=True)[0] for gi in g])
print(H)
print(torch.autograd.gradcheck(f, x), torch.autograd.gradgradcheck(f, x))
out = torch.zeros(2, dtype=torch.float64)
out[0] = x[0] ** 3
out[1] = out[0].clone() * x[1]
(g,) = torch.autograd.grad(out.sum(), x, create_graph=True)
(gg,) = torch.autograd.grad(g.sum(), x)
print(g.detach(), gg)
