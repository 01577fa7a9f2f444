"""Divergence, curl, Laplacian and Jacobian determinants of fields."""
import torch

x = torch.tensor([[1.0, 2.0, 3.0], [0.5, -1.0, 0.0]], dtype=torch.float64, requires_grad=True)


def field(x):
    return torch.stack([x[:, 0] * x[:, 1], x[:, 1] ** 2 * x[:, 2], torch.sin(x[:, 0]) + x[:, 2] ** 3], dim=1)


F = field(x)
J = torch.stack([torch.autograd.grad(F[:, k].sum(), x, create_graph=True)[0] for k in range(3)], dim=1)
print(J.shape, J)
div = J.diagonal(dim1=1, dim2=2).sum(-1)
curl = torch.stack([J[:, 2, 1] - J[:, 1, 2], J[:, 0, 2] - J[:, 2, 0], J[:, 1, 0] - J[:, 0, 1]], 1)
print(div, curl)
print(torch.autograd.grad(div.sum(), x, retain_graph=True))
print(torch.linalg.det(J), torch.linalg.slogdet(J).logabsdet)
phi = (x ** 3).sum(1) * x[:, 0]
(g,) = torch.autograd.grad(phi.sum(), x, create_graph=True)
lap = sum(torch.autograd.grad(g[:, k].sum(), x, create_graph=True)[0][:, k] for k in range(3))
print(lap, lap.requires_grad)
(bi,) = torch.autograd.grad(lap.sum(), x, retain_graph=True)
print(bi)
curl_of_grad = torch.autograd.grad(g[:, 1].sum(), x, retain_graph=True)[0][:, 0] - torch.autograd.grad(g[:, 0].sum(), x, retain_graph=True)[0][:, 1]
print(curl_of_grad)
batched = torch.func.vmap(torch.func.jacrev(lambda v: field(v.unsqueeze(0)).squeeze(0)))(x.detach())
print(torch.allclose(batched, J))
print(torch.func.vmap(torch.func.hessian(lambda v: (v ** 3).sum() * v[0]))(x.detach()).diagonal(dim1=-2, dim2=-1).sum(-1))
r = torch.tensor([2.0, 0.7], dtype=torch.float64, requires_grad=True)
polar = lambda p: torch.stack([p[0] * torch.cos(p[1]), p[0] * torch.sin(p[1])])
Jp = torch.autograd.functional.jacobian(polar, r, create_graph=True)
d = torch.det(Jp)
print(Jp, d, torch.autograd.grad(d, r)[0].round(decimals=9) + 0.0)
