"""A usual training loop with an evaluation under no_grad and model.eval()."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(1, 4), nn.Tanh(), nn.Dropout(0.0), nn.Linear(4, 1))
with torch.no_grad():
    for k, p in enumerate(model.parameters()):
        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) + 0.1 * k)
x = torch.linspace(-1, 1, 16).unsqueeze(1)
y = torch.sin(3 * x)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
crit = nn.MSELoss()


@torch.no_grad()
def evaluate():
    model.eval()
    out = crit(model(x), y)
    assert not out.requires_grad
    model.train()
    return out.item()


best = float("inf")
for epoch in range(30):
    opt.zero_grad()
    loss = crit(model(x), y)
    loss.backward()
    opt.step()
    if epoch % 10 == 0:
        print(epoch, f"{evaluate():.4f}", model.training, torch.is_grad_enabled())
print(f"{evaluate():.3f}")
