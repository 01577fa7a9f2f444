"""Tied parameters: one gradient, one name, one step."""
import torch
from torch import nn

class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(3, 3, bias=False)
        self.dec = nn.Linear(3, 3, bias=False)
        self.dec.weight = self.enc.weight
    def forward(self, x):
        return self.dec(torch.relu(self.enc(x)))
m = Tied()
with torch.no_grad():
    m.enc.weight.copy_(torch.eye(3) * 2)
print([n for n, _ in m.named_parameters()], [n for n, _ in m.named_parameters(remove_duplicate=False)], list(m.state_dict()))
print(m.enc.weight is m.dec.weight, len(list(m.parameters())))
m(torch.ones(1, 3)).sum().backward()
print(m.enc.weight.grad, m.dec.weight.grad is m.enc.weight.grad)
opt = torch.optim.SGD(m.parameters(), lr=0.1)
opt.step()
print(m.dec.weight)
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    o = torch.optim.SGD([m.enc.weight, m.dec.weight], lr=0.1)
print(len(caught), len(o.param_groups[0]["params"]))
m.dec.weight = nn.Parameter(torch.eye(3))
print([n for n, _ in m.named_parameters()])
ml = nn.ModuleList(nn.Linear(1, 1) for _ in range(2))
ml.append(nn.ReLU())
print(len(ml), type(ml[-1]).__name__)
print(list(ml.state_dict()))
s = nn.Sequential()
s.add_module("first", nn.Linear(1, 2))
print(len(s), s[0] is s.first)
