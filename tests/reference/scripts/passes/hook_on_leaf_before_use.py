"""Hooks registered before, between and after the forward passes."""

import torch

w = torch.tensor([1.0], requires_grad=True)
log = []
w.register_hook(lambda g: log.append(("first", g.item())))
y = w * 2
w.register_hook(lambda g: log.append(("second", g.item())))
z = w * 3
(y + z).backward()
print(log)

log.clear()
w2 = torch.tensor([1.0])
y = w2 * 2
w2.requires_grad_()
w2.register_hook(lambda g: log.append("late"))
z = w2 * 3
(y + z).backward()
print(log, w2.grad)

v = torch.tensor([1.0], requires_grad=True)
u = v * 1
u.register_hook(lambda g: g * 10)
a = u * 2
u.register_hook(lambda g: g + 1)
a.backward()
print(v.grad)
v2 = v.view(1)
v2.register_hook(lambda g: log.append("view"))
(v * 2).backward()
print(log)
(v2 * 2).backward()
print(log)
