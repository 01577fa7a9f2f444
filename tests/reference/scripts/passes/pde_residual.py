"""A physics-informed residual: u_xx from a network with tanh."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.tensor([[0.5], [-1.0], [1.5]]))
        self.b = nn.Parameter(torch.tensor([0.1, 0.0, -0.2]))
        self.c = nn.Parameter(torch.tensor([[1.0, -0.5, 0.25]]))

    def forward(self, x):
        return torch.tanh(x @ self.a.T + self.b) @ self.c.T


net = Net()
x = torch.linspace(0, 1, 5).reshape(-1, 1).requires_grad_()
u = net(x)
u_x = torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]
u_xx = torch.autograd.grad(u_x, x, torch.ones_like(u_x), create_graph=True)[0]
residual = u_xx + u
loss = (residual**2).mean() + (u[0] - 1).pow(2).sum()
print(u_x.flatten())
print(u_xx.flatten())
loss.backward()
print(loss)
for n, p in net.named_parameters():
    print(n, p.grad)
print(x.grad.shape)
