"""retain_grad: through in-place, views, clones, several passes."""
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
h1 = x * 2
h2 = h1.exp()
h3 = h2.sum()
for h in (h1, h2, h3):
    h.retain_grad()
h3.backward(retain_graph=True)
for n, h in (("x", x), ("h1", h1), ("h2", h2), ("h3", h3)):
    print(n, h.grad, h.retains_grad, h.is_leaf)
h3.backward()
for n, h in (("x", x), ("h1", h1), ("h2", h2), ("h3", h3)):
    print(n, h.grad)
y = x.detach().clone().requires_grad_() * 1
y.retain_grad()
y.mul_(3)
print(y.retains_grad)
y.sum().backward()
print(y.grad)
a = torch.ones(2, 2, requires_grad=True)
b = a * 2
v = b[0]
v.retain_grad()
b.retain_grad()
(v.sum() * 3 + b.sum()).backward()
print(v.grad, b.grad, a.grad)
c = torch.ones(2, requires_grad=True) * 1
c.retain_grad()
d = c.clone()
d.retain_grad()
(d ** 3).sum().backward()
print(c.grad, d.grad)
print(c.grad.requires_grad, c.grad.grad_fn)
p = torch.tensor(2.0, requires_grad=True)
q = p ** 3
q.retain_grad()
r = q ** 2
(g,) = torch.autograd.grad(r, p, create_graph=True)
print(g, q.grad, p.grad)
g.backward()
print(p.grad, q.grad)
with torch.no_grad():
    n = p * 2
    try:
        n.retain_grad()
    except RuntimeError as e:
        print(type(e).__name__)
with torch.no_grad():
    q2 = q
    try:
        q2.retain_grad()
        print("ok")
    except RuntimeError as e:
        print(type(e).__name__)
u = (x.detach().requires_grad_() * 2)
u.retain_grad()
uu = u.detach()
print(u.retains_grad, uu.retains_grad, u.requires_grad)
