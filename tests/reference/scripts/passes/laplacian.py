"""The Laplacian and the divergence of a field, at several points."""

import torch


def laplacian(f, x):
    x = x.detach().requires_grad_()
    (g,) = torch.autograd.grad(f(x).sum(), x, create_graph=True)
    out = torch.zeros(x.shape[0])
    for i in range(x.shape[1]):
        out += torch.autograd.grad(g[:, i].sum(), x, retain_graph=True)[0][:, i]
    return out


pts = torch.tensor([[1.0, 0.0, 2.0], [0.5, 0.5, -1.0]])
print(laplacian(lambda x: (x**2).sum(1), pts))
print(laplacian(lambda x: x[:, 0] ** 3 * x[:, 1] + x[:, 2].exp(), pts))
print(laplacian(lambda x: 1 / x.norm(dim=1), pts).abs() < 1e-5)


def divergence(field, x):
    x = x.requires_grad_()
    y = field(x)
    return sum(torch.autograd.grad(y[:, i].sum(), x, create_graph=True)[0][:, i] for i in range(3))


print(divergence(lambda x: x * x, pts).detach())
