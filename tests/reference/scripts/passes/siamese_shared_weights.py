"""The same module applied twice, contrastive loss, stop-gradient branch."""

import torch
from torch import nn
import torch.nn.functional as F

enc = nn.Linear(2, 2, bias=False)
with torch.no_grad():
    enc.weight.copy_(torch.tensor([[1.0, 0.5], [-0.5, 1.0]]))
a, b = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])
za, zb = enc(a), enc(b)
F.pairwise_distance(za, zb).sum().backward()
both = enc.weight.grad.clone()
print(both)
enc.zero_grad()
F.pairwise_distance(enc(a), enc(b).detach()).sum().backward()
one = enc.weight.grad.clone()
enc.zero_grad()
F.pairwise_distance(enc(a).detach(), enc(b)).sum().backward()
print(torch.allclose(one + enc.weight.grad, both), one)
enc.zero_grad()
sim = F.cosine_similarity(enc(a), enc(b).detach())
(-sim.mean()).backward()
print(sim, enc.weight.grad)
t = (
    F.triplet_margin_loss(enc(a), enc(b), enc(a + b), margin=2.0)
    if hasattr(F, "triplet_margin_loss")
    else torch.tensor(0.0)
)
print(t)
