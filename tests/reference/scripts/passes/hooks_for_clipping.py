"""Hooks that clip, add noise, reverse, scale, and count gradients."""
import torch
from torch import nn

lin = nn.Linear(3, 2)
with torch.no_grad():
    lin.weight.copy_(torch.arange(6.0).view(2, 3))
    lin.bias.zero_()
handles = [p.register_hook(lambda g: g.clamp(-1.0, 1.0)) for p in lin.parameters()]
x = torch.tensor([[5.0, -3.0, 0.5]], requires_grad=True)
x.register_hook(lambda g: -g)
out = lin(x)
out.register_hook(lambda g: g * torch.tensor([2.0, 0.1]))
out.sum().backward()
print(lin.weight.grad, lin.bias.grad, x.grad)
for h in handles:
    h.remove()
lin.zero_grad()
x.grad = None
lin(x).sum().backward()
print(lin.weight.grad, lin.bias.grad, x.grad)
stats = []
for name, p in lin.named_parameters():
    p.register_hook(lambda g, name=name: stats.append((name, g.shape, g.norm().item())))
lin.zero_grad()
(lin(x.detach()) * 2).mean().backward()
print([(n, tuple(s), round(v, 4)) for n, s, v in stats])
torch.manual_seed(1)
w = torch.zeros(2, requires_grad=True)
w.register_hook(lambda g: g + 0.0 * torch.randn_like(g))
w.register_hook(lambda g: torch.nan_to_num(g, nan=0.0))
(w / 0).sum().backward()
print(w.grad)
mask = torch.tensor([1.0, 0.0])
v = torch.ones(2, requires_grad=True)
v.register_hook(lambda g: g * mask)
opt = torch.optim.SGD([v], lr=1.0)
(v * 3).sum().backward()
opt.step()
print(v)
calls = []
once = v.register_hook(lambda g: (calls.append(1), once.remove())[0])
for _ in range(3):
    (v * 1).sum().backward()
print(len(calls), v.grad)
shared = torch.ones(1, requires_grad=True)
hook = lambda g: g * 2
a = shared.register_hook(hook)
b = shared.register_hook(hook)
(shared * 1).backward()
print(shared.grad, a.id != b.id)
