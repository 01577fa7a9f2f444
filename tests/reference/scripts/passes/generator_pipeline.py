"""Lazily produced losses: generators that hold graphs, closed early, with exceptions."""

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)


def losses(n):
    try:
        for k in range(n):
            yield (w * k).pow(2).sum()
    finally:
        print("closed", torch.is_grad_enabled())


for k, loss in enumerate(losses(3)):
    loss.backward()
    print(k, w.grad)
gen = losses(5)
next(gen)
second = next(gen)
gen.close()
second.backward()
print(w.grad)


def accumulate(gen):
    total = None
    for item in gen:
        total = item if total is None else total + item
        if total.item() > 50:
            raise OverflowError(total.item())
    return total


try:
    accumulate(losses(10))
except OverflowError as e:
    print(type(e).__name__, e)
with torch.no_grad():
    print([l.requires_grad for l in losses(2)])
print(sum(losses(3)).requires_grad)
