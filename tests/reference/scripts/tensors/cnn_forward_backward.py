"""A small convolutional network, one step."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.conv2 = nn.Conv2d(4, 8, 3)
        self.fc = nn.Linear(8 * 3 * 3, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.relu(self.conv2(x))
        x = F.avg_pool2d(x, 2, stride=1, padding=0) if x.shape[-1] > 3 else x
        return self.fc(torch.flatten(x, 1))


net = Net()
x = torch.randn(2, 1, 10, 10)
try:
    out = net(x)
except RuntimeError as err:
    print(type(err).__name__)
    out = None
if out is None:
    net.fc = nn.Linear(net.conv2(F.max_pool2d(net.conv1(x), 2)).flatten(1).shape[1], 10)
net2 = nn.Sequential(nn.Conv2d(1, 2, 3, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(2 * 4 * 4, 3))
loss = F.cross_entropy(net2(x), torch.tensor([0, 2]))
loss.backward()
print(f"{loss:.4f}", net2[0].weight.grad.shape, f"{net2[0].bias.grad.sum():.4f}", f"{net2[3].weight.grad.norm():.4f}")
print(sum(p.numel() for p in net.parameters()))
