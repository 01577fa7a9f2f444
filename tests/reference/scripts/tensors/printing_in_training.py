"""What training scripts print: losses, norms, tables."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2))
x = torch.randn(5, 4)
loss = net(x).pow(2).mean()
print(loss)
print("loss:", loss, "item:", round(loss.item(), 6), f"{loss:.3e}")
loss.backward()
for name, p in net.named_parameters():
    print(f"{name:10s} {str(tuple(p.shape)):10s} mean={p.mean().item():+.4f} grad={p.grad.norm().item():.4f}")
print("params:", [tuple(p.shape) for p in net.parameters()])
print(net[0].weight)
print(net[0].bias.grad)
print(net(x))
print(net(x).softmax(-1)[0])
print(torch.stack([p.grad.norm() for p in net.parameters()]))
print(net(x).argmax(1), net(x).shape, net(x)[0, 0])
