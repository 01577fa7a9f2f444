"""Summaries of large tensors."""

import torch

print(torch.arange(1001))
print(torch.arange(1000).shape)
print(torch.zeros(50, 50))
print(torch.arange(1200.0).view(20, 60) / 7)
print(torch.ones(11, 11, 11))
print(torch.zeros(2, 600, dtype=torch.int32))
print(torch.ones(2000, requires_grad=True))
print(torch.ones(2000, dtype=torch.bool))
