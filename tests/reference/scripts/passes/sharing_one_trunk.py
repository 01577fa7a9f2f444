"""Two heads on one trunk: separate passes, weighted sums, gradients of each part."""

import torch
from torch import nn

trunk, a, b = nn.Linear(2, 2, bias=False), nn.Linear(2, 1, bias=False), nn.Linear(2, 1, bias=False)
with torch.no_grad():
    trunk.weight.copy_(torch.tensor([[1.0, 2.0], [0.5, -1.0]]))
    a.weight.copy_(torch.tensor([[1.0, -1.0]]))
    b.weight.copy_(torch.tensor([[2.0, 0.5]]))
x = torch.tensor([[1.0, 1.0]])
h = trunk(x)
la, lb = a(h).pow(2).mean(), b(h).abs().mean()
ga = torch.autograd.grad(la, trunk.weight, retain_graph=True)[0]
gb = torch.autograd.grad(lb, trunk.weight, retain_graph=True)[0]
print(ga, gb, torch.nn.functional.cosine_similarity(ga.flatten(), gb.flatten(), dim=0))
(0.3 * la + 0.7 * lb).backward()
print(torch.allclose(trunk.weight.grad, 0.3 * ga + 0.7 * gb))
# gradient surgery
dot = (ga * gb).sum()
if dot < 0:
    ga = ga - dot / (gb * gb).sum() * gb
print(ga, a.weight.grad, b.weight.grad)
gh = torch.autograd.grad(a(h.detach().requires_grad_()).sum(), a.weight)
print(gh)
