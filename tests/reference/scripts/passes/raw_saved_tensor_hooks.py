"""Hooks registered on one saved tensor of a node, as in the tutorial."""

import torch


def f(x):
    return x * x


x = torch.randn(5, requires_grad=True)
y = f(x)
y.grad_fn._raw_saved_self.register_hooks(lambda t: t * 2, lambda t: t / 2)
y.sum().backward()
print(torch.allclose(x.grad, 2 * x))

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
z = a * b
kept = []
z.grad_fn._raw_saved_other.register_hooks(lambda t: kept.append(t.clone()) or 0, lambda k: kept[k])
z.sum().backward()
print(a.grad, b.grad, kept)
z = a * b
raw = z.grad_fn._raw_saved_self
raw.register_hooks(lambda t: t, lambda t: t)
try:
    raw.register_hooks(lambda t: t, lambda t: t)
except RuntimeError as e:
    print(type(e).__name__)
z.sum().backward()
try:
    z.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)
except RuntimeError as e:
    print(type(e).__name__)
