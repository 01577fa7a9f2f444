"""Training with validation, early stopping and restoring the best weights."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
x = torch.linspace(-1, 1, 30).view(-1, 1)
y = x**2 + 0.1 * torch.randn(30, 1)
train, val = slice(0, 20), slice(20, 30)
model = nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Linear(10, 1))
opt = torch.optim.Adam(model.parameters(), lr=0.02)
best, best_state, bad = float("inf"), None, 0
for epoch in range(40):
    model.train()
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(x[train]), y[train])
    loss.backward()
    opt.step()
    model.eval()
    with torch.no_grad():
        v = nn.functional.mse_loss(model(x[val]), y[val]).item()
    if v < best - 1e-6:
        best, best_state, bad = v, copy.deepcopy(model.state_dict()), 0
    else:
        bad += 1
    if bad == 5:
        print("stopped", epoch)
        break
print(f"{best:.3f}", model.load_state_dict(best_state))
