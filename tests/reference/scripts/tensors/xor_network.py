"""Learning XOR with a small network and Adam, seeded."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(42)
X = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
Y = torch.tensor([[0.0], [1.0], [1.0], [0.0]])


class XOR(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(2, 8)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        return torch.sigmoid(self.out(torch.tanh(self.hidden(x))))


model = XOR()
opt = torch.optim.Adam(model.parameters(), lr=0.05)
for epoch in range(300):
    opt.zero_grad()
    loss = F.binary_cross_entropy(model(X), Y)
    loss.backward()
    opt.step()
    if epoch % 100 == 0:
        print(epoch, f"{loss.item():.3f}")
print((model(X) > 0.5).int().flatten().tolist())
