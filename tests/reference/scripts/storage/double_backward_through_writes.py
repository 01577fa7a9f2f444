"""Second derivatives through in-place operations and writes to views."""
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def f(x):
    y = x**2
    y[1:].mul_(x[:-1])
    y[0] = y[2].clone() * x[0]
    return y


y = f(x)
print(y)
(g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
print(g)
for i in range(3):
    (h,) = torch.autograd.grad(g[i], x, retain_graph=True)
    print(h)
z = x.clone()
z.mul_(z.clone())
z.mul_(x)
(g,) = torch.autograd.grad(z.sum(), x, create_graph=True)
(h,) = torch.autograd.grad(g.sum(), x)
print(g, h)
buf = torch.zeros(3)
buf.copy_(x)
buf.exp_()
(g,) = torch.autograd.grad(buf.sum(), x, create_graph=True)
(h,) = torch.autograd.grad((g * x).sum(), x)
print(g, h)
H = torch.autograd.functional.hessian(lambda t: f(t).sum(), x.detach())
print(H)
