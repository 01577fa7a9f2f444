"""The gradient penalty of a critic, and the gradient of that."""

import torch
from torch import nn

torch.manual_seed(4)
critic = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(5, 3, requires_grad=True)
score = critic(x)
(g,) = torch.autograd.grad(score.sum(), x, create_graph=True)
penalty = ((g.norm(2, dim=1) - 1) ** 2).mean()
penalty.backward()
print(penalty, g.shape)
for n, p in critic.named_parameters():
    print(n, None if p.grad is None else p.grad)
