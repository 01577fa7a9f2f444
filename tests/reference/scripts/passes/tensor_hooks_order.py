"""Several hooks run in order, each sees what the former left; retain_grad sees the last."""

import torch

x = torch.tensor(1.0, requires_grad=True)
y = x * 2
log = []
y.register_hook(lambda g: (log.append(("first", g.item())), g + 1)[1])
y.register_hook(lambda g: log.append(("second", g.item())))
y.retain_grad()
y.register_hook(lambda g: (log.append(("third", g.item())), g * 100)[1])
(y * 3).backward()
print(log)
print(y.grad, x.grad)

a = torch.tensor(1.0, requires_grad=True)
order = []
b = a * 2
c = b * 3
a.register_hook(lambda g: order.append("a"))
b.register_hook(lambda g: order.append("b"))
c.register_hook(lambda g: order.append("c"))
(c + b).backward()
print(order)
