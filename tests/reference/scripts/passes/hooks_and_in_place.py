"""A hook registered before an in-place change sees the gradient of the old value."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
before, after = [], []
y.register_hook(lambda g: before.append(g.tolist()))
y.mul_(5)
y.register_hook(lambda g: after.append(g.tolist()))
y.sum().backward()
print(before, after, x.grad)

x.grad = None
y = x.clone()
log = []
y.register_hook(lambda g: log.append(("whole, old", g.tolist())))
y[0] = 7.0
y.register_hook(lambda g: log.append(("whole, new", g.tolist())))
(y * torch.tensor([3.0, 4.0])).sum().backward()
print(log, x.grad)
