"""Gradient reversal, scaling and clipping by hooks."""
import torch
from torch import nn
p = nn.Parameter(torch.tensor([1.0, 2.0]))
calls = []
h = p.register_hook(lambda g: calls.append(g.clone()))
(p * 3).sum().backward()
print(calls, p.grad)
h.remove()
h = p.register_hook(lambda g: -g)
p.grad = None
(p * 3).sum().backward()
print(p.grad)
h2 = p.register_hook(lambda g: g.clamp(-1, 1))
p.grad = None
(p * 3).sum().backward()
print(p.grad)
h.remove(), h2.remove()
def twice(g):
    g *= 2
    return None
h = p.register_hook(twice)
p.grad = None
(p * 3).sum().backward()
print(p.grad)
h.remove()
net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
for q in net.parameters():
    nn.init.constant_(q, 0.5)
    q.register_hook(lambda g: torch.clamp(g, max=0.6))
net(torch.ones(1, 2)).sum().backward()
print([q.grad for q in net.parameters()])
y = p * 2
y.register_hook(lambda g: print("y grad", g))
z = y ** 2
z.register_hook(lambda g: print("z grad", g))
z.sum().backward()
order = []
a = torch.ones(1, requires_grad=True)
a.register_hook(lambda g: order.append("leaf"))
a.register_post_accumulate_grad_hook(lambda t: order.append(("post", t.grad.item(), t is a)))
b = a * 2
b.register_hook(lambda g: order.append("b"))
b.grad_fn.register_hook(lambda gi, go: order.append(("node", len(gi), len(go))))
b.grad_fn.register_prehook(lambda go: order.append("pre"))
b.backward()
print(order)
for bad in (lambda: p.detach().register_hook(print), lambda: p.register_hook("x"), lambda: (p * 1).register_post_accumulate_grad_hook(print)):
    try:
        print(type(bad()).__name__)
    except Exception as e:
        print(type(e).__name__)
with torch.no_grad():
    try:
        (p * 2).register_hook(print)
    except Exception as e:
        print(type(e).__name__)
