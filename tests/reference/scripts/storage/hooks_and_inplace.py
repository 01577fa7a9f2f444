"""Hooks registered before and after an in-place change see different gradients."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
log = []
y = x * 3
h1 = y.register_hook(lambda g: log.append(("first", g.clone())))
y *= 2
h2 = y.register_hook(lambda g: log.append(("second", g.clone())))
y.add_(1)
y.backward(torch.tensor([1.0, 10.0]))
for name, g in log:
    print(name, g)
print(x.grad)
log.clear()
x.grad = None
y = x * 3
handle = y.register_hook(lambda g: g * 100)
y.mul_(2)
handle.remove()
y.sum().backward()
print(x.grad)
x.grad = None
x.register_hook(lambda g: g.clamp_(max=1.0) if False else g.clamp(max=1.0))
(x * 5).sum().backward()
print(x.grad)
z = x.detach().requires_grad_()
w = z * 2
w.register_hook(lambda g: None)
w.sum().backward()
print(z.grad)
