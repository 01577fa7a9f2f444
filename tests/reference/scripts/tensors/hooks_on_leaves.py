"""Hooks on leaves and non-leaves, order, removal, replaced gradients."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
log = []
h1 = x.register_hook(lambda g: log.append(("first", g.tolist())))
h2 = x.register_hook(lambda g: g * 10)
h3 = x.register_hook(lambda g: log.append(("third", g.tolist())))
(x ** 2).sum().backward()
print(x.grad, log)
h2.remove()
x.grad = None
log.clear()
(x ** 2).sum().backward()
print(x.grad, log)
h1.remove()
h3.remove()
h1.remove()
y = x * 2
y.register_hook(lambda g: print("y", g))
y.register_hook(lambda g: torch.zeros_like(g))
y.sum().backward()
print(x.grad)
acc = []
z = torch.ones(2, requires_grad=True)
z.register_post_accumulate_grad_hook(lambda t: acc.append(t.grad.clone()))
(z * 3).sum().backward()
(z * 3).sum().backward()
print(acc)
for g in (lambda: torch.ones(1).register_hook(print), lambda: (z * 2).register_post_accumulate_grad_hook(print), lambda: torch.ones(1).register_post_accumulate_grad_hook(print)):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__)
w = torch.ones(2, requires_grad=True)
w.register_hook(lambda g: torch.ones(3))
try:
    w.sum().backward()
except Exception as e:
    print(type(e).__name__)
v = torch.ones(2, requires_grad=True)
v.register_hook(lambda g: 5)
try:
    v.sum().backward()
except Exception as e:
    print(type(e).__name__)
print(torch.autograd.grad((x * 2).sum(), x), x._backward_hooks if hasattr(x, "_backward_hooks") else None)
opt = torch.optim.SGD([z], lr=0.1)
z2 = torch.ones(2, requires_grad=True)
o2 = torch.optim.SGD([z2], lr=0.5)
def step_now(p):
    o2.step()
    o2.zero_grad()
z2.register_post_accumulate_grad_hook(step_now)
(z2 * 2).sum().backward()
print(z2, z2.grad)
s = x.clone()
hs = s.register_hook(lambda g: g / 2)
with hs:
    s.sum().backward()
print(x.grad, type(hs).__name__)
