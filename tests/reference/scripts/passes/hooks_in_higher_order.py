"""Hooks under create_graph, in autograd.grad, and on tensors used twice."""
import torch

log = []
x = torch.tensor(2.0, requires_grad=True)
x.register_hook(lambda g: log.append(("x", g.item(), g.requires_grad)))
y = x ** 3
y.register_hook(lambda g: log.append(("y", g.item(), g.requires_grad)))
(g,) = torch.autograd.grad(y, x, create_graph=True)
print(log, g)
log.clear()
(gg,) = torch.autograd.grad(g, x)
print(log, gg)
log.clear()
z = x * x + x
z.backward()
print(log, x.grad)
log.clear()
a = torch.tensor(3.0, requires_grad=True)
b = a * 2
b.register_hook(lambda g: log.append(("b", g.item())))
c = b * b + b.sin() * 0 + b
c.backward()
print(log, a.grad)
log.clear()
b = a * 2
b.register_hook(lambda g: g * 3)
print(torch.autograd.grad(b * 5, b, retain_graph=True), torch.autograd.grad(b * 5, a))
b = a * 2
b.retain_grad()
b.register_hook(lambda g: g * 3)
b.backward()
print(b.grad)
b = a * 2
b.register_hook(lambda g: g * 3)
b.retain_grad()
b.register_hook(lambda g: g * 7)
b.backward()
print(b.grad, a.grad)
b = a * 2
b.register_hook(lambda g: g.mul_(2) and None)
b.backward()
print(a.grad)
unused = a * 4
unused.register_hook(lambda g: log.append("never"))
(a * 2).backward()
print(log)
