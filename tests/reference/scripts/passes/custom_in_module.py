"""A custom activation in a module, trained for some steps."""

import torch
from torch import nn


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, beta):
        s = torch.sigmoid(beta * x)
        ctx.save_for_backward(x, beta, s)
        return x * s

    @staticmethod
    def backward(ctx, g):
        x, beta, s = ctx.saved_tensors
        ds = s * (1 - s)
        return g * (s + x * beta * ds), (g * x * x * ds).sum()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(1, 3)
        self.out = nn.Linear(3, 1)
        self.beta = nn.Parameter(torch.tensor(1.0))

    def forward(self, x):
        return self.out(Swish.apply(self.lin(x), self.beta))


net = Net()
with torch.no_grad():
    net.lin.weight.copy_(torch.tensor([[1.0], [-1.0], [0.5]]))
    net.lin.bias.copy_(torch.tensor([0.0, 0.5, -0.5]))
    net.out.weight.copy_(torch.tensor([[0.5, 0.5, -0.5]]))
    net.out.bias.zero_()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.linspace(-1, 1, 9).unsqueeze(1)
y = x**2
for i in range(21):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    if i % 5 == 0:
        print(i, f"{loss.item():.5f}")
print(f"{net.beta.item():.4f}")
