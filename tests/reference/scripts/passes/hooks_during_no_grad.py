"""Hooks and modes: grad mode inside hooks, hooks that compute with gradients."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)
modes = []


def hook(g):
    modes.append(torch.is_grad_enabled())
    out = g * w
    modes.append(out.requires_grad)
    return out


y = x * 2
y.register_hook(hook)
y.sum().backward(retain_graph=True)
print(modes, x.grad, w.grad)
modes.clear()
(g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
print(modes, g)
g.sum().backward()
print(w.grad)
modes.clear()
with torch.no_grad():
    y = x * 2
    try:
        y.register_hook(hook)
    except RuntimeError as e:
        print(type(e).__name__)
x.register_post_accumulate_grad_hook(
    lambda p: modes.append(("post", torch.is_grad_enabled(), p.grad.requires_grad))
)
(x * 3).sum().backward()
print(modes)
