"""functional_call: a module run with other parameters."""

import torch
from torch import nn
from torch.func import functional_call

net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.5)
x = torch.tensor([[1.0, -2.0]])
new = {n: torch.zeros_like(p).requires_grad_() for n, p in net.named_parameters()}
out = functional_call(net, new, (x,))
print(out.item(), net(x).item() != 0)
out.sum().backward()
print({n: p.grad.flatten().tolist() for n, p in new.items()})
print([p.grad for p in net.parameters()])

# one inner step of meta-learning
meta = {n: p for n, p in net.named_parameters()}
loss = functional_call(net, meta, (x,)).pow(2).sum()
grads = torch.autograd.grad(loss, meta.values(), create_graph=True)
fast = {n: p - 0.1 * g for (n, p), g in zip(meta.items(), grads)}
functional_call(net, fast, (x,)).pow(2).sum().backward()
print(all(p.grad is not None for p in net.parameters()))
print(net[0].weight.grad)
