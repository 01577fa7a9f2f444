"""Seeds: same numbers again, forks, generators, order of draws."""

import torch
from torch import nn

torch.manual_seed(123)
a = torch.rand(2, 2)
torch.manual_seed(123)
print(torch.equal(a, torch.rand(2, 2)), a)
with torch.random.fork_rng():
    torch.manual_seed(5)
    print(torch.rand(1))
print(torch.rand(1))
torch.manual_seed(0)
m1 = nn.Linear(3, 2)
torch.manual_seed(0)
m2 = nn.Linear(3, 2)
print(torch.equal(m1.weight, m2.weight), m1.weight, m1.bias)
g1, g2 = torch.Generator().manual_seed(1), torch.Generator().manual_seed(1)
print(torch.equal(torch.randn(17, generator=g1), torch.randn(17, generator=g2)), torch.randint(100, (3,), generator=g1), torch.randperm(5, generator=g2))
print(torch.manual_seed(4) is torch.default_generator, torch.initial_seed(), torch.rand(1).item())
torch.manual_seed(9)
x = torch.empty(3, 3)
print(nn.init.xavier_normal_(x), nn.init.kaiming_uniform_(x, nonlinearity="relu"), nn.init.normal_(x, mean=5, std=0.1), nn.init.uniform_(x, -2, -1))
drop = nn.Dropout(0.3)
print(drop(torch.ones(2, 6)), nn.Dropout2d(0.5)(torch.ones(1, 4, 1, 2)), nn.AlphaDropout(0.2)(torch.ones(5)))
for dtype in (torch.float16, torch.bfloat16, torch.float64):
    print(torch.rand(3, dtype=dtype), torch.randn(3, dtype=dtype))
