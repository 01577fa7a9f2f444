"""apply, to, double, requires_grad_, train and named walks."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 3), nn.ReLU()), nn.BatchNorm1d(3))
seen = []
net.apply(lambda m: seen.append(type(m).__name__))
print(seen)
print([n for n, _ in net.named_modules()], [type(m).__name__ for m in net.children()])
print({p.dtype for p in net.double().parameters()}, net[2].num_batches_tracked.dtype, {p.dtype for p in net.to(torch.float32).parameters()}, net.to("cpu") is net)
net.requires_grad_(False)
print(any(p.requires_grad for p in net.parameters()), [m.training for m in net.eval().modules()])
net[1].train()
print([m.training for m in net.modules()])
print([(n, tuple(p.shape)) for n, p in net.named_parameters()], [n for n, _ in net.named_buffers()])
print(sum(p.numel() for p in net.parameters()), len(net), net[1][0].in_features, net[0].weight.shape)
try:
    net.train("yes")
except ValueError as err:
    print(type(err).__name__)
try:
    net.to(torch.int32)
except TypeError as err:
    print(type(err).__name__)
