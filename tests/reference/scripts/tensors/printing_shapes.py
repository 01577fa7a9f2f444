"""Nested brackets for every rank, and zero-size shapes."""

import torch

print(torch.arange(24).view(2, 3, 4))
print(torch.arange(16.0).view(2, 2, 2, 2))
print(torch.zeros(2, 0), torch.zeros(0, 2), torch.zeros(1, 0, 3), torch.tensor([]))
print(torch.zeros(1), torch.zeros(1, 1), torch.zeros(1, 1, 1), torch.zeros(()))
print(torch.tensor([[True, False], [False, True]]))
print(torch.tensor([-1, 10, 100]), torch.tensor([[1, -20], [300, 4]]))
print(torch.arange(40))
print(torch.arange(40.0) * 1.5)
print(torch.tensor([1 + 2j, -3.5 - 0.25j]), torch.tensor(2j))
print(torch.arange(6).view(2, 3).t())
print(torch.arange(6).view(2, 3)[:, ::2])
print(torch.Size([2, 3]), torch.Size([]), [torch.Size([1])], torch.zeros(2, 3).size())
