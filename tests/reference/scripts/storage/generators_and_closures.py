"""Lazily made tensors, closures over tensors, default arguments, comprehension scopes."""
import torch


def batches(data, size):
    for at in range(0, len(data), size):
        yield data[at : at + size]


data = torch.arange(7.0).view(7, 1)
for b in batches(data, 3):
    print(b.T.tolist() if False else b.flatten().tolist(), b._base is data, b.storage_offset())
    b.mul_(2)
print(data.flatten())


def make_counter(w):
    def step(x):
        nonlocal w
        w = w + x
        return w

    return step


w = torch.tensor(1.0, requires_grad=True)
step = make_counter(w)
for k in range(3):
    out = step(torch.tensor(float(k)))
print(out, out.grad_fn.name())
out.backward()
print(w.grad)
fs = [lambda t, k=k: t * k for k in range(3)]
print([f(torch.tensor(2.0)).item() for f in fs])
total = sum((w * k for k in range(4)), torch.tensor(0.0))
(g,) = torch.autograd.grad(total, w)
print(total, g)
stream = (w * k for k in range(3))
print(next(stream), list(stream))
cache = {}


def memo(t, n):
    key = (id(t), t._version, n)
    if key not in cache:
        cache[key] = t.pow(n)
    return cache[key]


print(memo(data, 2) is memo(data, 2))
data.add_(1)
print(len(cache), memo(data, 2).shape, len(cache))
