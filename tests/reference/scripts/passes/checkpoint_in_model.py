"""Checkpointed layers in a model give the same gradients."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Net(nn.Module):
    def __init__(self, use):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])
        self.use = use
        with torch.no_grad():
            for k, l in enumerate(self.layers):
                l.weight.copy_(torch.arange(9.0).reshape(3, 3) / 10 - 0.1 * k)
                l.bias.fill_(0.1 * k)

    def forward(self, x):
        for l in self.layers:
            run = lambda v, l=l: torch.relu(l(v))
            x = checkpoint(run, x, use_reentrant=False) if self.use else run(x)
        return x


x = torch.tensor([[1.0, 2.0, -1.0]])
grads = []
for use in (False, True):
    net = Net(use)
    net(x).sum().backward()
    grads.append([p.grad for p in net.parameters()])
print(all(torch.equal(a, b) for a, b in zip(*grads)))
print(grads[1][0])

seq = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
with torch.no_grad():
    for p in seq.parameters():
        p.fill_(0.25)
inp = torch.tensor([[1.0, -3.0]], requires_grad=True)
out = seq[2](checkpoint(seq[:2], inp, use_reentrant=False))
out.sum().backward()
print(out, inp.grad)
