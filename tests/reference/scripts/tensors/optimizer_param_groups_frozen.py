"""Different rates for parts of a model, one part frozen later."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
opt = torch.optim.SGD([{"params": model[0].parameters(), "lr": 0.01}, {"params": model[1].parameters()}], lr=0.1)
x, y = torch.ones(3, 2), torch.zeros(3, 1)
for step in range(4):
    opt.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    opt.step()
    print(step, f"{loss:.5f}", [g["lr"] for g in opt.param_groups])
    if step == 1:
        model[0].requires_grad_(False)
        opt.param_groups[1]["lr"] *= 0.5
print(model[0].weight.grad, model[1].weight.grad is not None)
