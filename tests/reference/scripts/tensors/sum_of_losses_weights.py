"""Multi-task losses, weights, partial backward, detach of one branch."""
import torch
from torch import nn
shared = nn.Linear(2, 2, bias=False)
h1, h2 = nn.Linear(2, 1, bias=False), nn.Linear(2, 1, bias=False)
with torch.no_grad():
    shared.weight.copy_(torch.eye(2))
    h1.weight.copy_(torch.tensor([[1.0, 0.0]]))
    h2.weight.copy_(torch.tensor([[0.0, 2.0]]))
x = torch.tensor([[1.0, 3.0]])
def losses():
    z = shared(x)
    return (h1(z) - 2).pow(2).mean(), (h2(z) - 1).pow(2).mean(), z
def show(tag):
    print(tag, shared.weight.grad if shared.weight.grad is None else shared.weight.grad + 0.0, None if h1.weight.grad is None else h1.weight.grad, None if h2.weight.grad is None else h2.weight.grad)
    for m in (shared, h1, h2):
        m.zero_grad()
a, b, z = losses()
(a + 0.5 * b).backward()
show("sum")
a, b, z = losses()
a.backward(retain_graph=True)
b.backward()
show("two passes")
a, b, z = losses()
torch.autograd.backward([a, b], [torch.tensor(1.0), torch.tensor(0.5)])
show("weights")
a, b, z = losses()
a.backward()
try:
    b.backward()
    show("second")
except RuntimeError as e:
    print(type(e).__name__)
    show("failed")
a, b, z = losses()
ga = torch.autograd.grad(a, shared.weight, retain_graph=True)[0]
gb = torch.autograd.grad(b, shared.weight)[0]
print(ga + 0.0, gb + 0.0, torch.nn.functional.cosine_similarity(ga.flatten(), gb.flatten(), dim=0), shared.weight.grad)
w = torch.tensor([1.0, 1.0], requires_grad=True)
a, b, z = losses()
total = (torch.softmax(w, 0) * torch.stack([a, b])).sum()
total.backward()
print(w.grad, total)
show("learned weights")
zd = shared(x).detach()
(h1(zd) ** 2).sum().backward()
show("detached")
for m in (h1, h2):
    m.weight.requires_grad_(False)
a, b, z = losses()
(a + b).backward()
show("frozen heads")
