"""Changing the learning rate through param_groups."""

import math

import torch

w = torch.tensor([4.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for step in range(6):
    lr = 0.1 * 0.5 * (1 + math.cos(math.pi * step / 6))
    for group in opt.param_groups:
        group["lr"] = lr
    opt.zero_grad()
    (w**2).backward() if w.dim() == 0 else (w**2).sum().backward()
    opt.step()
    print(f"{lr:.5f}", w.item())
