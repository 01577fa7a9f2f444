"""Tensors in sets and dicts, gradients looked up by parameter."""

import torch

a = torch.ones(2, requires_grad=True)
b = torch.ones(2, requires_grad=True)
velocity = {p: torch.zeros_like(p) for p in (a, b)}
((a * 2 + b * 3).sum()).backward()
for p, v in velocity.items():
    v.add_(p.grad)
print(velocity[a], velocity[b], len({a, b, a}))
print(a in velocity, any(p is a for p in velocity), torch.ones(2) in velocity)
groups = [{"params": [a], "lr": 0.1}, {"params": [b]}]
opt = torch.optim.SGD(groups, lr=0.01)
opt.step()
print(a, b, [g["lr"] for g in opt.param_groups])
names = {id(a): "a", id(b): "b"}
acc = (a * b).grad_fn.next_functions
print([names[id(f.variable)] for f, _ in acc])
