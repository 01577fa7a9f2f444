"""Gradient accumulation over micro batches equals the gradient of the whole batch."""

import torch
import torch.nn as nn

data = torch.linspace(-1, 1, 12).reshape(6, 2)
target = torch.linspace(0, 1, 6).reshape(6, 1)
model = nn.Linear(2, 1)
with torch.no_grad():
    model.weight.copy_(torch.tensor([[0.3, -0.7]]))
    model.bias.fill_(0.1)

loss_fn = nn.MSELoss(reduction="sum")
loss_fn(model(data), target).backward()
whole = [p.grad.clone() for p in model.parameters()]
model.zero_grad()
print([p.grad for p in model.parameters()])

for i in range(0, 6, 2):
    loss = loss_fn(model(data[i : i + 2]), target[i : i + 2])
    loss.backward()
    print(i, model.weight.grad, model.bias.grad)
print([torch.allclose(a, p.grad) for a, p in zip(whole, model.parameters())])

for p in model.parameters():
    p.grad.zero_()
print(model.weight.grad)
model.zero_grad(set_to_none=False)
print(model.bias.grad)
