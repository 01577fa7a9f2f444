"""Generators in no_grad: the body runs in its mode, the consumer keeps its own."""

import torch


@torch.no_grad()
def batches():
    for i in range(3):
        print("in body", torch.is_grad_enabled())
        got = yield i
        if got:
            print("got", got, torch.is_grad_enabled())
    return "end"


for b in batches():
    print(b, torch.is_grad_enabled())
g = batches()
next(g)
print(g.send("word"))
g.close()
print(torch.is_grad_enabled())


def plain():
    with torch.no_grad():
        yield torch.is_grad_enabled()
        yield torch.is_grad_enabled()


p = plain()
print(next(p), torch.is_grad_enabled())
print(next(p), torch.is_grad_enabled())
print(list(p), torch.is_grad_enabled())


@torch.enable_grad()
def throws():
    try:
        yield 1
    except ValueError:
        print("caught", torch.is_grad_enabled())
        yield 2


with torch.no_grad():
    t = throws()
    print(next(t), t.throw(ValueError("x")), torch.is_grad_enabled())
