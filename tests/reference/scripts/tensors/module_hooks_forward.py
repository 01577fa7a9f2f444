"""Forward hooks, pre-hooks, full backward hooks."""
import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.5)
seen = {}
handles = [m.register_forward_hook(lambda mod, i, o, n=n: seen.__setitem__(n, o.detach())) for n, m in net.named_children()]
y = net(torch.tensor([[1.0, 2.0]]))
print(y, seen)
for h in handles:
    h.remove()
seen.clear()
net(torch.ones(1, 2))
print(seen)
h = net[0].register_forward_pre_hook(lambda mod, args: (args[0] * 2,))
print(net(torch.tensor([[1.0, 2.0]])))
h.remove()
h = net[2].register_forward_hook(lambda mod, args, out: out + 100)
print(net(torch.tensor([[1.0, 2.0]])))
h.remove()
def show(mod, gin, gout):
    print(type(mod).__name__, gin, gout)
hs = [m.register_full_backward_hook(show) for m in net]
x = torch.tensor([[1.0, 2.0]], requires_grad=True)
net(x).sum().backward()
print(x.grad)
for h in hs:
    h.remove()
h = net[0].register_full_backward_pre_hook(lambda mod, g: (g[0] * 3,))
x.grad = None
net(x).sum().backward()
print(x.grad)
h.remove()
h = net[0].register_full_backward_hook(lambda mod, gi, go: (gi[0] * 0,))
x.grad = None
net(x).sum().backward()
print(x.grad)
h.remove()
def kw(mod, args, kwargs):
    return args, {**kwargs, "scale": 5}
class S(nn.Module):
    def forward(self, x, scale=1):
        return x * scale
s = S()
s.register_forward_pre_hook(kw, with_kwargs=True)
print(s(torch.ones(1)), s(torch.ones(1), scale=2))
try:
    nn.Module()(1)
except Exception as e:
    print(type(e).__name__)
class NoSuper(nn.Module):
    def __init__(self):
        self.lin = nn.Linear(1, 1)
try:
    NoSuper()
except Exception as e:
    print(type(e).__name__)
class NoForward(nn.Module):
    pass
try:
    NoForward()(torch.ones(1))
except Exception as e:
    print(type(e).__name__)
