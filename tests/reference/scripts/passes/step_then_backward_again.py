"""The forum's classic: an optimizer step between two backward passes through one graph."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.5)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.ones(1, 2)
out = net(x)
loss1, loss2 = (out - 1).pow(2).sum(), (out + 1).pow(2).sum()
loss1.backward(retain_graph=True)
opt.step()
try:
    loss2.backward()
except RuntimeError as e:
    print(type(e).__name__, "modified by an inplace operation" in str(e))
opt.zero_grad()
out = net(x)
((out - 1).pow(2).sum() + (out + 1).pow(2).sum()).backward()
opt.step()
print([p.flatten().tolist() for p in net.parameters()])
for p in net.parameters():
    p.data = p.data * 2
out = net(x)
out.backward()
print(out.item(), net[0].weight._version, [p.is_leaf for p in net.parameters()])
