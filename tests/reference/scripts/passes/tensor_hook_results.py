"""Tensor hooks: order, replacing, removing, None, refusals."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
h1 = x.register_hook(lambda g: print("first", g))
h2 = x.register_hook(lambda g: g * 10)
h3 = x.register_hook(lambda g: print("third", g))
(x * 2).sum().backward()
print(x.grad)
h2.remove()
x.grad = None
(x * 3).sum().backward()
print(x.grad)
h1.remove()
h1.remove()
h3.remove()
y = x * 2
z = y.exp()
y.register_hook(lambda g: torch.zeros_like(g))
y.retain_grad()
z.register_hook(lambda g: print("z", g, g.requires_grad))
x.grad = None
z.sum().backward()
print(x.grad, y.grad)
for t in (torch.ones(1), torch.tensor(1), x.detach()):
    try:
        t.register_hook(print)
    except Exception as e:
        print(type(e).__name__)
for bad in (lambda g: "no", lambda g: torch.ones(3), lambda g: g.double(), lambda g: 1.0, lambda g: (g,),
            lambda: None, lambda g: 1 / 0, lambda g: torch.ones(1)):
    w = torch.ones(2, requires_grad=True)
    w.register_hook(bad)
    try:
        (w * 2).sum().backward()
        print("fine", w.grad, w.grad.dtype)
    except Exception as e:
        print(type(e).__name__, w.grad)
with x.register_hook(lambda g: g + 1) as handle:
    x.grad = None
    (x * 1).sum().backward()
    print(x.grad, type(handle).__name__)
x.grad = None
(x * 1).sum().backward()
print(x.grad)
try:
    x.register_hook(3)
    x.sum().backward()
except Exception as e:
    print(type(e).__name__)
