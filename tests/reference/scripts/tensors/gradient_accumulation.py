"""Two half batches with scaled losses give the gradient of the whole batch."""

import torch
from torch import nn

torch.manual_seed(1)
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x, y = torch.randn(8, 3), torch.randn(8, 1)
loss_fn = nn.MSELoss()
loss_fn(model(x), y).backward()
whole = [p.grad.clone() for p in model.parameters()]
model.zero_grad()
for part in range(2):
    s = slice(4 * part, 4 * part + 4)
    (loss_fn(model(x[s]), y[s]) / 2).backward()
for a, p in zip(whole, model.parameters()):
    print(torch.allclose(a, p.grad, atol=1e-6), p.grad.shape, f"{p.grad.abs().sum():.4f}")
