"""Tied weights: one parameter used in two layers gets both gradients."""

import torch
from torch import nn


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(4, 3)
        self.out = nn.Linear(3, 4, bias=False)
        self.out.weight = self.emb.weight

    def forward(self, i):
        return self.out(self.emb(i).mean(1))


m = Tied()
with torch.no_grad():
    m.emb.weight.copy_(torch.arange(12.0).reshape(4, 3) / 10)
print(m.out.weight is m.emb.weight, len(list(m.parameters())), [n for n, _ in m.named_parameters()])
i = torch.tensor([[0, 1], [3, 3]])
loss = nn.functional.cross_entropy(m(i), torch.tensor([2, 0]))
loss.backward()
print(loss.item() > 0, m.emb.weight.grad)
print(sorted(m.state_dict()))
