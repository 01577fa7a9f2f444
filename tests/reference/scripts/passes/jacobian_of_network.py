"""Jacobians of a network by inputs and by parameters in several ways."""

import torch
from torch import nn
from torch.autograd.functional import hessian, jacobian

net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 2)).double()
with torch.no_grad():
    for k, p in enumerate(net.parameters()):
        p.copy_(
            torch.linspace(-1, 1, p.numel(), dtype=torch.float64).reshape(p.shape) * (1 + 0.1 * k)
        )
x = torch.tensor([0.3, -0.6], dtype=torch.float64)
J = jacobian(net, x)
W1, W2 = net[0].weight, net[2].weight
h = torch.tanh(net[0](x))
print(J)
print(torch.allclose(J, W2 @ torch.diag(1 - h**2) @ W1))
batch = torch.stack([x, 2 * x])
JB = jacobian(lambda b: net(b).sum(0), batch)
print(JB.shape, torch.allclose(JB[:, 0], J))
H = hessian(lambda v: net(v)[0], x)
print(H, torch.allclose(H, H.T))
rows = [torch.autograd.grad(o, list(net.parameters()), retain_graph=True) for o in net(x)]
print([[tuple(g.shape) for g in r] for r in rows][0], rows[1][2])
logdet = torch.linalg.slogdet(J)
print(logdet.sign, f"{logdet.logabsdet.item():.4f}")
