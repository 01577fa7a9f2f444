"""Hooks that watch or change what modules compute."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2, bias=False), nn.ReLU())
with torch.no_grad():
    net[0].weight.copy_(torch.tensor([[1.0, -1.0], [2.0, 0.5]]))
seen = {}
handles = [m.register_forward_hook(lambda mod, args, out, n=n: seen.__setitem__(n, out.detach())) for n, m in net.named_children()]
x = torch.tensor([[1.0, 2.0]], requires_grad=True)
print(net(x), seen)
for h in handles:
    h.remove()
seen.clear()
net(x)
print(seen)
pre = net[0].register_forward_pre_hook(lambda mod, args: (args[0] * 10,))
print(net(x))
pre.remove()
post = net.register_forward_hook(lambda mod, args, out: out + 100)
print(net(x))
post.remove()
grads = []
net[0].register_full_backward_hook(lambda mod, gi, go: grads.append((gi[0].clone(), go[0].clone())))
net(x).sum().backward()
print(grads, x.grad)
handle = net[1].register_forward_hook(lambda mod, args, kwargs, out: print(type(mod).__name__, kwargs), with_kwargs=True)
net(x)
handle.remove()
