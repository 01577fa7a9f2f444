"""Hooks and pre-hooks of graph nodes."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)
y = x * w
node = y.grad_fn
h = node.register_hook(lambda gi, go: print("hook", gi, go))
p = node.register_prehook(lambda go: print("pre", go))
y.sum().backward(retain_graph=True)
h.remove()
p.remove()
y.sum().backward(retain_graph=True)
print(x.grad, w.grad)
x.grad = w.grad = None
node.register_prehook(lambda go: (go[0] * 2,))
node.register_hook(lambda gi, go: (gi[0] * 10, None))
y.sum().backward(retain_graph=True)
print(x.grad, w.grad)
x.grad = w.grad = None
print(torch.autograd.grad(y.sum(), [x, w], retain_graph=True, allow_unused=True))
for bad in (lambda gi, go: gi[0], lambda gi, go: (gi[0],), lambda gi, go: "x", lambda gi, go: (1, 2)):
    z = x * w
    z.grad_fn.register_hook(bad)
    try:
        z.sum().backward()
        print("fine", x.grad)
    except Exception as e:
        print(type(e).__name__)
    x.grad = w.grad = None
for bad in (lambda go: go[0], lambda go: (go[0], go[0]), lambda go: 3):
    z = x * w
    z.grad_fn.register_prehook(bad)
    try:
        z.sum().backward()
        print("fine", x.grad)
    except Exception as e:
        print(type(e).__name__)
    x.grad = w.grad = None
acc = (x * 1).grad_fn.next_functions[0][0]
print(acc.name(), acc.variable is x)
acc.register_hook(lambda gi, go: print("acc", gi, go))
acc.register_prehook(lambda go: print("acc pre", go))
(x * 5).sum().backward()
print(x.grad)
m = x.max(0)
m.values.grad_fn.register_hook(lambda gi, go: print(gi, go))
m.values.backward()
