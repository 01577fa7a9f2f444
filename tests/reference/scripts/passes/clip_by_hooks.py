"""Gradient clipping and noise-free scaling by hooks on parameters."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) - 1)
for p in model.parameters():
    p.register_hook(lambda grad: torch.clamp(grad, -0.5, 0.5))
out = model(torch.tensor([[1.0, 2.0], [3.0, -1.0]]))
print(out)
out.pow(2).sum().backward()
for n, p in model.named_parameters():
    print(n, p.grad)

w = nn.Parameter(torch.ones(3))
mask = torch.tensor([1.0, 0.0, 1.0])
w.register_hook(lambda g: g * mask)
(w * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
print(w.grad)
