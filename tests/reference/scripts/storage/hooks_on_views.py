"""Hooks and retained gradients on views of what is written."""

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * 2
v = y[1:]
v.retain_grad()
seen = []
v.register_hook(lambda g: seen.append(("v", g.tolist())))
y.register_hook(lambda g: seen.append(("y", g.tolist())))
(v.sum() + y.sum()).backward()
print(seen, v.grad, x.grad)
x.grad = None
seen.clear()
y = x * 2
v = y[1:]
v.mul_(3)
v.retain_grad()
y.retain_grad()
v.register_hook(lambda g: seen.append(("v", g.tolist())))
y.register_hook(lambda g: seen.append(("y", g.tolist())))
(v * 2).sum().backward()
print(seen, v.grad, y.grad, x.grad)
x.grad = None
seen.clear()
y = x * 2
h = y.register_hook(lambda g: g * 100)
v = y[:1]
v.add_(5)
y.sum().backward()
print(x.grad)
x.grad = None
x.register_hook(lambda g: g + 1)
x[1:].sum().backward()
print(x.grad)
x.grad = None
p = x.view(3, 1)
p.register_hook(lambda g: g * 7)
(p.sum() + x.sum()).backward()
print(x.grad)


def check(g):
    try:
        g.mul_(2)
    except RuntimeError as e:
        print("RuntimeError")


z = x.detach().requires_grad_()
w = z * 1
w.register_hook(lambda g: None)
w.sum().backward()
print(z.grad)
t = x.detach().requires_grad_()
a, b, c = t.unbind()
a.register_hook(lambda g: g * 2)
(a * 3 + b).backward()
print(t.grad)
