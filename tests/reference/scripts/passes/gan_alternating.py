"""Alternating updates with detach, two optimizers, frozen parts."""

import torch
from torch import nn

G, D = nn.Linear(1, 1), nn.Linear(1, 1)
with torch.no_grad():
    for m, (w, b) in ((G, (1.0, 0.0)), (D, (0.5, 0.1))):
        m.weight.fill_(w)
        m.bias.fill_(b)
og, od = torch.optim.SGD(G.parameters(), lr=0.1), torch.optim.SGD(D.parameters(), lr=0.1)
bce = nn.BCEWithLogitsLoss()
z = torch.tensor([[0.1], [-0.4], [0.7]])
real = torch.tensor([[2.0], [2.5], [1.5]])
one, zero = torch.ones(3, 1), torch.zeros(3, 1)
for i in range(4):
    fake = G(z)
    od.zero_grad()
    ld = bce(D(real), one) + bce(D(fake.detach()), zero)
    ld.backward()
    print(
        i,
        "generator untouched:",
        all(p.grad is None or not p.grad.any() for p in G.parameters()),
        end=" ",
    )
    od.step()
    og.zero_grad()
    lg = bce(D(fake), one)
    lg.backward()
    og.step()
    print(f"{ld.item():.4f} {lg.item():.4f}")
print(G.weight, G.bias, D.weight, D.bias, sep="\n")
