"""Exponential moving averages of parameters, as in target networks."""
import copy

import torch
from torch import nn

net = nn.Linear(2, 1)
with torch.no_grad():
    net.weight.copy_(torch.tensor([[1.0, 2.0]]))
    net.bias.fill_(0.5)
target = copy.deepcopy(net).requires_grad_(False)
print([p.requires_grad for p in target.parameters()], [p.requires_grad for p in net.parameters()])
x = torch.tensor([[1.0, 1.0], [2.0, -1.0]])
for _ in range(3):
    net.zero_grad()
    loss = (net(x) - target(x) - 1).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        for p, t in zip(net.parameters(), target.parameters()):
            p -= 0.1 * p.grad
            t.mul_(0.9).add_(p, alpha=0.1)
print(net.weight, target.weight)
print(target.weight.grad, target.bias)
with torch.no_grad():
    for p, t in zip(net.parameters(), target.parameters()):
        t.copy_(p)
print(torch.equal(net.weight, target.weight), net.weight.data_ptr() == target.weight.data_ptr())
for t, p in zip(target.parameters(), net.parameters()):
    t.data = p.data
print(net.weight.data_ptr() == target.weight.data_ptr())
for t, p in zip(target.parameters(), net.parameters()):
    t.lerp_(p.detach() * 2, 0.5)
print(net.weight, target.weight.is_leaf)
