"""Which parameters received a gradient: freezing, detaching, unused branches."""

import torch
from torch import nn


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)
        self.b = nn.Linear(2, 2)
        self.unused = nn.Linear(2, 2)

    def forward(self, x, cut):
        h = self.a(x)
        if cut:
            h = h.detach()
        return self.b(h)


m = Two()
for cut in (False, True):
    m.zero_grad()
    m(torch.ones(1, 2), cut).sum().backward()
    print(cut, {n: p.grad is not None for n, p in m.named_parameters()})
m.zero_grad()
for p in m.a.parameters():
    p.requires_grad_(False)
out = m(torch.ones(1, 2), False)
out.sum().backward()
print({n: p.grad is not None for n, p in m.named_parameters()})
m.requires_grad_(False)
print(m(torch.ones(1, 2), False).requires_grad)
m.b.requires_grad_(True)
print([n for n, p in m.named_parameters() if p.requires_grad])
