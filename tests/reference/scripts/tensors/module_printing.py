"""How modules print, nested and with extra_repr."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.lin = nn.Linear(n, n)
        self.act = nn.ReLU(inplace=True)
        self.n = n

    def extra_repr(self):
        return f"n={self.n}"

    def forward(self, x):
        return self.act(self.lin(x))


print(Block(2))
print(nn.Sequential(nn.Conv2d(1, 2, 3, padding=1, stride=2), nn.BatchNorm2d(2), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8, 2, bias=False), nn.LogSoftmax(dim=1)))
print(nn.ModuleList([nn.Linear(2, 2) for _ in range(3)]))
print(nn.Dropout(0.3), nn.Embedding(10, 3), nn.LayerNorm(4), nn.GELU(), nn.Softmax(-1), nn.LeakyReLU(0.2), nn.ELU(), nn.Sigmoid(), nn.MSELoss(), nn.CrossEntropyLoss(), nn.Identity())
print(nn.BatchNorm1d(3, affine=False), nn.GroupNorm(2, 4), nn.Conv1d(1, 1, 2, bias=False), nn.AvgPool2d(2), nn.Softplus(), nn.Tanh(), nn.Unflatten(1, (2, 2)))
print(nn.Sequential())
from collections import OrderedDict
print(nn.Sequential(OrderedDict([("first", nn.Linear(1, 2)), ("second", nn.Linear(2, 1))])))
