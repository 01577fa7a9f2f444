"""Modules with options, nested calls, properties and several inputs and outputs."""

import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self, n, *, hard=False):
        super().__init__()
        self.logits = nn.Parameter(torch.linspace(-1, 1, n))
        self.hard = hard
        self.calls = 0

    @property
    def probabilities(self):
        return self.logits.sigmoid()

    def forward(self, a, b=None, *, scale=1.0):
        self.calls += 1
        p = (self.probabilities > 0.5).float() if self.hard else self.probabilities
        out = a * p * scale
        return out if b is None else (out, b * (1 - p))


g = Gate(3)
x = torch.ones(3)
print(g(x), g(x, x)[1], g(x, scale=2.0), g.calls, g.probabilities)
out, rest = g(x, b=x * 2)
(out.sum() + rest.prod()).backward()
print(g.logits.grad)
print(Gate(2, hard=True)(torch.ones(2)), g)
try:
    nn.Module()(x)
except NotImplementedError as err:
    print(type(err).__name__)
try:
    g(x, x, x)
except TypeError as err:
    print(type(err).__name__)
print(callable(g), isinstance(g, nn.Module), g.training, g.eval().training, len(list(g.parameters())))
