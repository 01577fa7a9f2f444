"""torch.autograd.graph.register_multi_grad_hook."""

import torch

a = torch.tensor([1.0], requires_grad=True)
b = torch.tensor([2.0], requires_grad=True)
c = a * b
d = a + b
calls = []
h = torch.autograd.graph.register_multi_grad_hook(
    (a, b, c, d), lambda gs: calls.append([None if g is None else g.item() for g in gs])
)
c.sum().backward(retain_graph=True)
print(calls)
calls.clear()
(c + d).sum().backward(retain_graph=True)
print(calls)
calls.clear()
c.sum().backward(inputs=(a,), retain_graph=True)
print(calls)
h.remove()
calls.clear()
(c + d).sum().backward(retain_graph=True)
print(calls)
h = torch.autograd.graph.register_multi_grad_hook(
    [c, d], lambda g: calls.append(g.item()), mode="any"
)
(c + 2 * d).sum().backward()
print(len(calls))
try:
    torch.autograd.graph.register_multi_grad_hook([a], print, mode="some")
except ValueError as e:
    print(type(e).__name__)
