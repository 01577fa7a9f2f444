"""Activations, their gradients, saliency and integrated gradients."""
import torch
from torch import nn
import torch.nn.functional as F

net = nn.Sequential(nn.Conv2d(1, 2, 2), nn.ReLU(), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(2, 3))
with torch.no_grad():
    for k, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() + k).view_as(p))
x = torch.arange(9.0).view(1, 1, 3, 3).div(9).requires_grad_()
feats = {}
h1 = net[0].register_forward_hook(lambda m, i, o: feats.__setitem__("act", o))
logits = net(x)
feats["act"].retain_grad()
score = logits[0, logits.argmax()]
print(logits, score, feats["act"].shape)
score.backward()
weights = feats["act"].grad.mean(dim=(2, 3), keepdim=True)
cam = F.relu((weights * feats["act"]).sum(1))
print(weights.flatten(), cam)
print(x.grad.abs().max(), x.grad.shape)
saliency = x.grad.abs().amax(dim=1)
print(saliency)
h1.remove()
base = torch.zeros_like(x)
total = torch.zeros_like(x)
for k in range(1, 11):
    p = (base + (x - base) * k / 10).detach().requires_grad_()
    (g,) = torch.autograd.grad(net(p)[0, 0], p)
    total += g
ig = (x - base) * total / 10
print(ig.detach(), ig.sum().item() > -100)
with torch.no_grad():
    print((net(x) - net(base))[0, 0])
smooth = torch.stack([torch.autograd.grad(net(x + d)[0, 1], x)[0] for d in (-0.01, 0.0, 0.01)]).mean(0)
print(smooth)
gi = (x * torch.autograd.grad(net(x)[0, 2], x)[0]).detach()
print(gi.squeeze())
