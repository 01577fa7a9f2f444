"""Averaging the weights of two trained models."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
base = nn.Linear(2, 1)
models = [copy.deepcopy(base) for _ in range(2)]
data = [(torch.randn(10, 2), torch.randn(10, 1)) for _ in range(2)]
for m, (x, y) in zip(models, data):
    opt = torch.optim.SGD(m.parameters(), lr=0.1)
    for _ in range(3):
        opt.zero_grad()
        nn.functional.mse_loss(m(x), y).backward()
        opt.step()
avg = copy.deepcopy(base)
with torch.no_grad():
    for p, *ps in zip(avg.parameters(), *(m.parameters() for m in models)):
        p.copy_(torch.stack([q.data for q in ps]).mean(0))
print(avg.weight, [m.weight.data for m in models])
sd = {k: sum(m.state_dict()[k] for m in models) / 2 for k in base.state_dict()}
print(all(torch.allclose(sd[k], v) for k, v in avg.state_dict().items()))
