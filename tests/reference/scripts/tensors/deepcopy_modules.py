"""Deep copies of modules are independent, tied weights stay tied."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 2))
net[2].weight = net[0].weight
twin = copy.deepcopy(net)
print(twin[0].weight is twin[2].weight, twin[0].weight is net[0].weight, torch.equal(twin[0].weight, net[0].weight))
opt = torch.optim.SGD(net.parameters(), lr=1.0)
net(torch.ones(1, 2)).sum().backward()
opt.step()
print(torch.equal(twin[0].weight, net[0].weight), twin[0].weight.grad, net[0].weight.grad is not None)
third = copy.deepcopy(net)
print(third[0].weight.grad is not None, third[0].weight.grad is net[0].weight.grad)
net.register_forward_hook(lambda m, i, o: o * 0)
fourth = copy.deepcopy(net)
print(fourth(torch.ones(1, 2)), len(fourth._forward_hooks))
shallow = copy.copy(net)
print(shallow[0].weight is net[0].weight)
