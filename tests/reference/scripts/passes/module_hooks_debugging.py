"""Finding exploding and vanishing gradients with hooks on every layer."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2, bias=False) for _ in range(4)])
        self.head = nn.Linear(2, 1, bias=False)

    def forward(self, x):
        for layer in self.layers:
            x = torch.sigmoid(layer(x))
        return self.head(x)


net = Net()
with torch.no_grad():
    for k, layer in enumerate(net.layers):
        layer.weight.copy_(torch.tensor([[1.0, -0.5], [0.25, 1.0]]) * (k + 1))
    net.head.weight.fill_(1.0)

stats = {}


def watch(name):
    def hook(module, grad_in, grad_out):
        stats[name] = grad_out[0].abs().mean().item()

    return hook


for name, m in net.named_modules():
    if isinstance(m, nn.Linear):
        m.register_full_backward_hook(watch(name))
net(torch.tensor([[1.0, 2.0]], requires_grad=True)).sum().backward()
for k, v in stats.items():
    print(f"{k:10s} {v:.5f}")
print(net)
