"""Extracting and changing features with hooks, then differentiating (Grad-CAM)."""

import torch
from torch import nn
import torch.nn.functional as F


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, padding=1, bias=False)
        self.fc = nn.Linear(2, 2, bias=False)

    def forward(self, x):
        h = F.relu(self.conv(x))
        return self.fc(h.mean(dim=(2, 3)))


net = Small()
with torch.no_grad():
    net.conv.weight.copy_(torch.arange(18.0).reshape(2, 1, 3, 3) / 18 - 0.4)
    net.fc.weight.copy_(torch.tensor([[1.0, -1.0], [0.5, 2.0]]))
store = {}
h1 = net.conv.register_forward_hook(lambda m, i, o: store.__setitem__("act", o))
h2 = net.conv.register_full_backward_hook(lambda m, gi, go: store.__setitem__("grad", go[0]))
x = torch.arange(16.0).reshape(1, 1, 4, 4) / 16
score = net(x)[0, 1]
score.backward()
weights = store["grad"].mean(dim=(2, 3), keepdim=True)
cam = F.relu((weights * store["act"]).sum(1))
print(score.item() == score.item(), store["act"].shape, store["grad"].shape)
print(weights.flatten())
print(cam.detach())
