"""retain_grad on intermediates, views, and after in-place."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
z = y.pow(2)
print(y.retains_grad, z.retains_grad, x.retains_grad)
print(y.retain_grad(), y.retain_grad(), y.retains_grad)
z.retain_grad()
z.sum().backward(retain_graph=True)
print(y.grad, z.grad, y.grad.requires_grad)
z.sum().backward(retain_graph=True)
print(y.grad, z.grad, x.grad)
y.grad = None
torch.autograd.grad(z.sum(), x, retain_graph=True)
print(y.grad)
z.sum().backward(inputs=[x], retain_graph=True)
print(y.grad)
(g,) = torch.autograd.grad(z.sum(), x, create_graph=True)
g.retain_grad()
g.sum().backward()
print(g.grad)
a = x * 3
a.retain_grad()
a.mul_(2)
a.sum().backward()
print(a.grad, a.retains_grad)
b = x * 3
c = b * 1
c.retain_grad()
v = c[0]
v.retain_grad()
v.backward()
print(c.grad, v.grad)
d = x * 1
d.retain_grad()
with torch.no_grad():
    d.add_(1)
d.sum().backward()
print(d.grad)
e = (x * 2).detach()
try:
    e.retain_grad()
except RuntimeError as err:
    print(type(err).__name__)
f = (x * 2)
f.retain_grad()
f.sum().backward(create_graph=False)
f.grad.zero_()
print(f.grad, f.grad_fn, f.is_leaf)
h = (x * 2)
h.retain_grad()
h.detach_()
print(h.requires_grad, h.is_leaf, h.grad)
r = x.clone()
r.retain_grad()
r.backward(torch.ones(2), inputs=[r])
print(r.grad, x.grad)
