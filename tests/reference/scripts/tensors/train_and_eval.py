"""Dropout and batch normalisation in training and evaluation."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 2))
x = torch.randn(6, 4)
print(net.training, net[3].training)
out = net(x)
print(out)
print(net[1].running_mean, net[1].num_batches_tracked)
net.eval()
print(net.training, net[3].training, torch.equal(net(x), net(x)))
print(net(x)[0])
print(net[1].running_var[:3])
net.train()
print(torch.equal(net(x), net(x)), net[1].num_batches_tracked)
try:
    net(x[:1])
except ValueError as err:
    print(type(err).__name__, "more than 1 value" in str(err))
net[1].eval()
print(net(x[:1]).shape)
