"""zero_grad of optimisers and modules: to None or to zeros."""

import torch
from torch import nn

m = nn.Linear(2, 1)
opt = torch.optim.SGD(m.parameters(), lr=0.1)
m(torch.ones(1, 2)).sum().backward()
print(m.weight.grad, m.bias.grad)
held = m.weight.grad
opt.zero_grad(set_to_none=False)
print(m.weight.grad, held is m.weight.grad)
m(torch.ones(1, 2)).sum().backward()
print(held)
opt.zero_grad()
print(m.weight.grad, held)
m(torch.ones(1, 2)).sum().backward()
m.zero_grad()
print([p.grad for p in m.parameters()])
m.zero_grad(set_to_none=False)
print(m.bias.grad)
