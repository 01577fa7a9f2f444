"""A cached forward value reused over steps, and how it breaks."""

import torch
from torch import nn


class Cached(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([2.0, 3.0]))
        self._cache = None

    def forward(self, x):
        if self._cache is None:
            self._cache = self.w.exp()
        return (x * self._cache).sum()


m = Cached()
x = torch.tensor([1.0, 0.5])
m(x).backward()
print(m.w.grad)
try:
    m(x).backward()
except RuntimeError as e:
    print(type(e).__name__, "second time" in str(e))
m._cache = None
with torch.no_grad():
    m(x)
try:
    m(x).backward()
except RuntimeError as e:
    print(type(e).__name__, "does not require grad" in str(e))
