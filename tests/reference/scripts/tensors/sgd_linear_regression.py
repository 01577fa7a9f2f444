"""Linear regression with nn.Linear and SGD."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.linspace(-1, 1, 20).unsqueeze(1)
y = 3 * x + 0.5
model = nn.Linear(1, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loss_fn = nn.MSELoss()
print(model.weight, model.bias)
for epoch in range(50):
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    if epoch % 10 == 0:
        print(epoch, f"{loss.item():.4f}")
print(model.weight.item(), model.bias.item())
print(model)
print(opt)
