"""Frozen layers get no gradients, whichever way they are frozen."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
for p in net[0].parameters():
    p.requires_grad = False
print([(n, p.requires_grad) for n, p in net.named_parameters()])
opt = torch.optim.SGD(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)
before = net[0].weight.clone()
net(torch.ones(4, 2)).sum().backward()
print(net[0].weight.grad, net[2].weight.grad.shape, net[2].bias.grad)
opt.step()
print(torch.equal(before, net[0].weight), before.requires_grad)
net[0].requires_grad_(True)
net[2].requires_grad_(False)
net.zero_grad()
net(torch.ones(4, 2)).sum().backward()
print(net[0].bias.grad.shape, net[2].weight.grad)
with torch.no_grad():
    features = net[0](torch.ones(1, 2))
print(features.requires_grad, sum(p.numel() for p in net.parameters() if p.requires_grad), sum(p.numel() for p in net.parameters()))
