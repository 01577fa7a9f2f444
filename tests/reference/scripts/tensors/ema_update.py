"""Exponential moving average of a model's parameters."""

import copy

import torch
from torch import nn

torch.manual_seed(3)
model = nn.Linear(2, 1)
ema = copy.deepcopy(model)
for p in ema.parameters():
    p.requires_grad_(False)
opt = torch.optim.SGD(model.parameters(), lr=0.5)
x, y = torch.randn(16, 2), torch.randn(16, 1)
for step in range(5):
    opt.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for e, p in zip(ema.parameters(), model.parameters()):
            e.mul_(0.9).add_(p, alpha=0.1)
    print(f"{loss:.4f}", ema.weight.data, ema.bias.data)
print(ema.weight.requires_grad, ema(x).requires_grad, model(x).requires_grad)
with torch.no_grad():
    for e, p in zip(ema.parameters(), model.parameters()):
        e.lerp_(p, 0.5)
print(ema.weight)
