"""The residual of a wave equation for a product ansatz: mixed second derivatives."""

import torch

torch.set_default_dtype(torch.float64)
k = torch.tensor(2.0, requires_grad=True)
c = torch.tensor(1.5)


def u(x, t):
    return torch.sin(k * x) * torch.cos(c * k * t)


x = torch.linspace(0, 1, 4).requires_grad_()
t = torch.linspace(0, 1, 4).requires_grad_()
out = u(x, t)
ones = torch.ones_like(out)
ux, ut = torch.autograd.grad(out, (x, t), ones, create_graph=True)
uxx = torch.autograd.grad(ux, x, ones, create_graph=True)[0]
utt = torch.autograd.grad(ut, t, ones, create_graph=True)[0]
uxt = torch.autograd.grad(ux, t, ones, create_graph=True)[0]
utx = torch.autograd.grad(ut, x, ones, create_graph=True)[0]
print((utt - c**2 * uxx).abs().max().item() < 1e-12, torch.allclose(uxt, utx))
print(uxx.detach())
(gk,) = torch.autograd.grad(uxx.pow(2).sum(), k)
print(gk)
