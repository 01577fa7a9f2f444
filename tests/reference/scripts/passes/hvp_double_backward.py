"""Hessian-vector products three ways, and conjugate gradients on them."""
import torch

torch.manual_seed(0)
A = torch.tensor([[4.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 2.0]], dtype=torch.float64)
b = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)


def f(x):
    return 0.5 * x @ A @ x - b @ x + 0.1 * (x ** 4).sum()


x = torch.tensor([0.1, -0.2, 0.3], dtype=torch.float64, requires_grad=True)
v = torch.tensor([1.0, 0.0, -1.0], dtype=torch.float64)
(g,) = torch.autograd.grad(f(x), x, create_graph=True)
(hv,) = torch.autograd.grad(g, x, v, retain_graph=True)
print(hv, hv.requires_grad)
(hv2,) = torch.autograd.grad((g * v).sum(), x)
print(torch.allclose(hv, hv2))
u = torch.zeros(3, dtype=torch.float64, requires_grad=True)
(g,) = torch.autograd.grad(f(x), x, create_graph=True)
(vjp,) = torch.autograd.grad(g, x, u, create_graph=True)
print(torch.autograd.grad(vjp, u, v))
print(torch.autograd.functional.hvp(f, x, v))
print(torch.autograd.functional.vhp(f, x.detach(), v))
print(torch.func.jvp(torch.func.grad(f), (x.detach(),), (v,)))


def cg(matvec, b, n=3):
    x = torch.zeros_like(b)
    r = b.clone()
    p = r.clone()
    for _ in range(n):
        ap = matvec(p)
        alpha = r.dot(r) / p.dot(ap)
        x = x + alpha * p
        r2 = r - alpha * ap
        p = r2 + (r2.dot(r2) / r.dot(r)) * p
        r = r2
    return x


(g,) = torch.autograd.grad(f(x), x, create_graph=True)
d = cg(lambda p: torch.autograd.grad(g, x, p, retain_graph=True)[0], -g.detach())
print(d)
print(f(x), f(x + d))
