"""Second derivatives through in-place writes."""

import torch

x = torch.tensor([0.5, 1.5, 2.5], dtype=torch.float64, requires_grad=True)
y = x.clone()
y.mul_(x)
y[0].pow_(2)
y[1:].add_(x[:-1] ** 3)
(g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
print(y, g, g.grad_fn)
(h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
print(h)
(t,) = torch.autograd.grad(h.sum(), x)
print(t)
H = torch.autograd.functional.hessian(lambda a: (a.clone().mul_(a).exp_() * a).sum(), x.detach())
print(H)
J = torch.autograd.functional.jacobian(
    lambda a: a.clone().index_put_((torch.tensor([0, 2]),), a[:2] ** 2), x.detach()
)
print(J)
print(
    torch.autograd.gradcheck(lambda a: a.clone().t_().mul_(a).view(-1)[1:].sin_(), x),
    torch.autograd.gradgradcheck(lambda a: (a * 1).mul_(a).sin_(), x),
)


def f(a):
    b = torch.zeros(3, 3, dtype=a.dtype)
    b[0] = a
    b[:, 1] = a * a
    b.diagonal().mul_(a)
    b[b > 2] = 1
    return b


print(torch.autograd.gradcheck(f, x), f(x))


def cum(a):
    out = torch.empty(3, dtype=a.dtype)
    out[0] = a[0]
    for i in range(1, 3):
        out[i] = out[i - 1] * a[i]
    return out


try:
    cum(x).sum().backward()
    print(x.grad)
except RuntimeError:
    print("RuntimeError")


def cum2(a):
    out = torch.empty(3, dtype=a.dtype)
    acc = a[0]
    out[0] = acc
    for i in range(1, 3):
        acc = acc * a[i]
        out[i] = acc
    return out


x.grad = None
cum2(x).sum().backward()
print(x.grad)
print(torch.autograd.functional.jvp(f, x.detach(), torch.ones(3, dtype=torch.float64))[1])
print(torch.autograd.functional.vjp(f, x.detach(), torch.ones(3, 3, dtype=torch.float64))[1])
