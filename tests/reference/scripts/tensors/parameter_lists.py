"""ParameterList, ParameterDict, ModuleList and ModuleDict."""

import torch
from torch import nn


class Poly(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.ParameterList([nn.Parameter(torch.tensor(float(i))) for i in range(3)])
        self.d = nn.ParameterDict({"scale": nn.Parameter(torch.tensor(2.0))})

    def forward(self, x):
        return self.d["scale"] * sum(c * x**i for i, c in enumerate(self.c))


p = Poly()
out = p(torch.tensor(2.0))
out.backward()
print(out, [c.grad for c in p.c], p.d["scale"].grad, [n for n, _ in p.named_parameters()])
ml = nn.ModuleList([nn.Linear(1, 1)])
ml.append(nn.Linear(1, 2))
ml.extend([nn.ReLU()])
ml.insert(0, nn.Tanh())
print(len(ml), ml[0], ml[-1], [type(m).__name__ for m in ml], len(ml[1:3]))
ml[0] = nn.Sigmoid()
del ml[1]
print(ml)
md = nn.ModuleDict()
md["a"] = nn.Linear(1, 1)
md.update({"b": nn.ReLU()})
print(list(md.keys()), [type(v).__name__ for v in md.values()], "a" in md, len(md), md.pop("b"))
seq = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
seq.append(nn.Tanh())
print(len(seq), seq[-1], seq[:2], [type(m).__name__ for m in seq])
p.c.append(nn.Parameter(torch.tensor(9.0)))
print(len(p.c), len(list(p.parameters())), "scale" in p.d, list(p.d.keys()))
