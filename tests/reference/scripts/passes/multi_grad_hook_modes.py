"""register_multi_grad_hook with modes all and any."""
import torch
from torch.autograd.graph import register_multi_grad_hook

a = torch.tensor([1.0], requires_grad=True)
b = torch.tensor([2.0], requires_grad=True)
c = torch.tensor([3.0], requires_grad=True)
x = a * b
y = b * c
log = []
h = register_multi_grad_hook((a, b, c), lambda gs: log.append([None if g is None else g.item() for g in gs]))
(x + y).backward(retain_graph=True)
print(log)
log.clear()
x.backward(retain_graph=True)
print(log)
log.clear()
h.remove()
x.backward(retain_graph=True)
print(log)
h = register_multi_grad_hook((x, y), lambda g: log.append(g.item()), mode="any")
(x + y * 2).sum().backward(retain_graph=True)
print(len(log))
log.clear()
y.backward(retain_graph=True)
print(log)
h.remove()
h = torch.autograd.graph.register_multi_grad_hook([a], lambda gs: log.append(gs))
x.backward(retain_graph=True)
print(log)
h.remove()
for tensors, kw in (((torch.ones(1),), {}), ((a,), {"mode": "some"}), ((), {}), ((torch.ones(1),), {"mode": "any"})):
    try:
        register_multi_grad_hook(tensors, lambda g: None, **kw)
        print("ok")
    except Exception as e:
        print(type(e).__name__)
log.clear()
register_multi_grad_hook((a, c), lambda gs: log.append([g is None for g in gs]))
(a * 2).backward()
(c * 2).backward()
(a * c).backward()
a.sum().backward()
print(log)
