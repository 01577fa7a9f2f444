"""A buffer used again and again across passes."""

import torch

buf = torch.zeros(3)
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
for step in range(3):
    try:
        buf.mul_(0.5)
        buf.add_(w * step)
        buf.sum().backward()
        print(step, buf, buf.grad_fn, w.grad)
    except RuntimeError as e:
        print(step, "RuntimeError")
buf = torch.zeros(3)
w.grad = None
for step in range(3):
    buf = buf.detach()
    buf.mul_(0.5).add_(w * step)
    buf.sum().backward()
    print(step, buf, buf._version, buf.requires_grad, w.grad)
buf.detach_()
print(buf.requires_grad, buf.is_leaf, buf._version)
state = torch.zeros(2, 2)
for i in range(2):
    state[i] = w[:2] * (i + 1)
print(state, state.grad_fn)
state.sum().backward(retain_graph=True)
state = state.detach()
state[0] = 0
print(state, w.grad)
h = torch.zeros(2, requires_grad=True)
out = []
s = h
for i in range(3):
    s = torch.tanh(s + w[:2])
    out.append(s)
torch.stack(out).sum().backward()
print(h.grad, w.grad)
cache = torch.empty(3, 2)
for i, o in enumerate(out):
    with torch.no_grad():
        cache[i].copy_(o)
print(cache, cache.requires_grad, cache._version)
running = torch.zeros(())
for o in out:
    running += o.detach().sum()
    running /= 2
print(running, running._version)
big = torch.zeros(6)
views = big.split(2)
for v, o in zip(views, out):
    v.copy_(o.detach())
print(big, big._version)
