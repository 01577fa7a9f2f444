"""Tensors in closures, generators, decorators and default arguments."""

import functools

import torch


def counter():
    total = torch.zeros(1)

    def add(x):
        nonlocal total
        total = total + x
        return total

    return add


add = counter()
w = torch.ones(1, requires_grad=True)
add(w * 2)
final = add(w * 3)
final.backward()
print(final, w.grad)


def batches(t, n):
    for i in range(0, len(t), n):
        yield t[i : i + n]


print([b.sum().item() for b in batches(torch.arange(7), 3)])


@torch.no_grad()
def frozen(x):
    return x * 2


@functools.lru_cache
def table(n):
    return torch.eye(n)


print(frozen(w).requires_grad, table(2) is table(2), functools.reduce(torch.mul, [w, w, w]).grad_fn is not None)


def f(x, history=[]):
    history.append(x.detach())
    return sum(history)


print(f(w), f(w), [t.item() for t in map(lambda v: v**2, torch.tensor([1.0, 2.0]))], sorted(torch.tensor([3, 1, 2]).tolist(), key=lambda v: -v))
losses = [(w - i) ** 2 for i in range(3)]
torch.autograd.backward(losses)
print(w.grad, min(losses), max(losses, key=lambda t: t.item()))
