"""Factorising a matrix with embeddings and SGD with momentum."""

import torch
from torch import nn

torch.manual_seed(3)
R = torch.tensor([[5.0, 3.0, 0.0, 1.0], [4.0, 0.0, 0.0, 1.0], [1.0, 1.0, 0.0, 5.0]])
mask = R > 0
users, items = nn.Embedding(3, 2), nn.Embedding(4, 2)
opt = torch.optim.SGD([*users.parameters(), *items.parameters()], lr=0.05, momentum=0.9)
for epoch in range(40):
    opt.zero_grad()
    pred = users.weight @ items.weight.T
    loss = ((pred - R)[mask] ** 2).sum()
    loss.backward()
    opt.step()
    if epoch % 10 == 0:
        print(epoch, f"{loss.item():.3f}")
print((users.weight @ items.weight.T).round(decimals=1)[mask])
