"""Two modules that share one parameter share its gradient."""

import torch
from torch import nn


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2, bias=False)
        self.b = nn.Linear(2, 2, bias=False)
        self.b.weight = self.a.weight

    def forward(self, x):
        return self.b(self.a(x))


m = Tied()
with torch.no_grad():
    m.a.weight.copy_(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
print([n for n, _ in m.named_parameters()], len(list(m.parameters())), m.a.weight is m.b.weight)
print(list(m.state_dict()))
m(torch.tensor([[1.0, 1.0]])).sum().backward()
print(m.a.weight.grad, m.b.weight.grad is m.a.weight.grad)
torch.optim.SGD(m.parameters(), lr=0.1).step()
print(m.a.weight.data, torch.equal(m.a.weight, m.b.weight))
print([n for n, _ in m.named_parameters(remove_duplicate=False)])
