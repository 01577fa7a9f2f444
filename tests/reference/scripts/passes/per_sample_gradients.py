"""Per-sample gradients by a loop, and their mean is the gradient of the mean."""

import torch
from torch import nn

model = nn.Linear(3, 2)
with torch.no_grad():
    model.weight.copy_(torch.tensor([[0.1, -0.2, 0.3], [0.0, 0.5, -0.5]]))
    model.bias.zero_()
x = torch.tensor([[1.0, 2.0, 3.0], [-1.0, 0.0, 1.0], [0.5, 0.5, 0.5]])
y = torch.tensor([0, 1, 1])
crit = nn.CrossEntropyLoss()
per = []
for i in range(len(x)):
    gs = torch.autograd.grad(crit(model(x[i : i + 1]), y[i : i + 1]), model.parameters())
    per.append(torch.cat([g.flatten() for g in gs]))
per = torch.stack(per)
print(per.shape)
print(per.norm(dim=1))
crit(model(x), y).backward()
flat = torch.cat([p.grad.flatten() for p in model.parameters()])
print(torch.allclose(per.mean(0), flat, atol=1e-6))
clipped = per * (0.5 / per.norm(dim=1).clamp(min=0.5)).unsqueeze(1)
print(clipped.norm(dim=1))
