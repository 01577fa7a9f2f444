"""Backward passes inside hooks, and hooks that add graphs."""
import torch

x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor([3.0], requires_grad=True)
log = []


def hook(g):
    with torch.enable_grad():
        inner = (w * g.detach()).sum()
    inner.backward()
    log.append(w.grad.clone())
    return g + w.grad


y = x * 5
y.register_hook(hook)
y.backward()
print(x.grad, w.grad, log)
depth = []


def recursive(n):
    a = torch.ones(1, requires_grad=True)

    @torch.enable_grad()
    def h(g):
        depth.append(n)
        if n > 0:
            recursive(n - 1)

    a.register_hook(h)
    (a * 2).backward()
    return a.grad


print(recursive(5), depth)
x.grad = None
z = x * 4


def same_leaf(g):
    with torch.enable_grad():  # hooks run with grad mode off
        inner = (x * 100).sum()
    inner.backward()


z.register_hook(same_leaf)
try:
    z.backward()
    print(x.grad)
except RuntimeError as e:
    print(type(e).__name__)
q = x ** 3
q.register_hook(torch.enable_grad()(lambda g: torch.autograd.grad((x ** 2).sum(), x)[0]))
print(torch.autograd.grad(q, x))
order = []
a = torch.ones(1, requires_grad=True)
b = a * 2
c = a * 3
d = b + c
for n, t in (("a", a), ("b", b), ("c", c), ("d", d)):
    t.register_hook(lambda g, n=n: order.append(n))
d.backward()
print(order)
order.clear()
e1 = a.exp()
e2 = e1.sin()
e3 = a.cos()
for n, t in (("e1", e1), ("e2", e2), ("e3", e3)):
    t.register_hook(lambda g, n=n: order.append(n))
(e3 + e2 + e1).backward()
print(order)
