"""retain_grad on tensors that are written to afterwards."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
y.retain_grad()
y.mul_(3)
y.sum().backward()
print(y.grad, x.grad, y.retains_grad)
x.grad = None
y = x * 2
y.retain_grad()
v = y[0]
v.retain_grad()
v.mul_(10)
print(y, v)
(y * torch.tensor([1.0, 100.0])).sum().backward()
print(y.grad, x.grad)
x.grad = None
y = x * 2
seen = []
y.register_hook(lambda g: seen.append(("before", g.tolist())))
y.mul_(5)
y.register_hook(lambda g: seen.append(("after", g.tolist())))
y.sum().backward()
print(seen, x.grad)
x.grad = None
base = x * 1
view = base.view(2, 1)
base.add_(1)
view.retain_grad()
view.sum().backward()
print(view.grad, x.grad)
w = torch.zeros(2)
w[0] = x[0]
w.retain_grad()
w.sum().backward()
print(w.grad, w.is_leaf)
