"""Hessian-vector products three ways."""

import torch

A = torch.tensor([[3.0, 1.0, 0.0], [1.0, 2.0, -1.0], [0.0, -1.0, 4.0]])
x = torch.tensor([1.0, -1.0, 2.0], requires_grad=True)
v = torch.tensor([0.5, 2.0, -1.0])

f = 0.5 * x @ A @ x + x.pow(3).sum()
(g,) = torch.autograd.grad(f, x, create_graph=True)
(hv,) = torch.autograd.grad(g, x, v, retain_graph=True)
print(hv)
(hv2,) = torch.autograd.grad((g * v).sum(), x, retain_graph=True)
print(torch.allclose(hv, hv2))
(hv3,) = torch.autograd.grad(g @ v, x)
print(torch.allclose(hv, hv3), A @ v + 6 * x.detach() * v)

# the double-backward trick: a jvp from two vjps
y = torch.sin(x) * x.prod()
u = torch.zeros(3, requires_grad=True)
(vjp,) = torch.autograd.grad(y, x, u, create_graph=True)
(jvp,) = torch.autograd.grad(vjp, u, v)
print(jvp)
