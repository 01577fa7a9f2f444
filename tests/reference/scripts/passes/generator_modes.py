"""Grad modes around generators."""
import torch


@torch.no_grad()
def gen(n):
    for i in range(n):
        got = yield i, torch.is_grad_enabled()
        if got is not None:
            yield "got", got, torch.is_grad_enabled()
    return "end"


for item in gen(2):
    print(item, torch.is_grad_enabled())
g = gen(3)
print(next(g), g.send("hello"), next(g))
g.close()
print(torch.is_grad_enabled())


@torch.no_grad()
def catching():
    try:
        yield 1
    except ValueError as e:
        yield str(e), torch.is_grad_enabled()
    finally:
        print("finally", torch.is_grad_enabled())


g = catching()
print(next(g), g.throw(ValueError("thrown")), torch.is_grad_enabled())
try:
    next(g)
except StopIteration as s:
    print("stop", s.value)


@torch.enable_grad()
def outer():
    r = yield from gen(1)
    yield r, torch.is_grad_enabled()


with torch.no_grad():
    print([*outer()], torch.is_grad_enabled())


def plain():
    with torch.no_grad():
        yield torch.is_grad_enabled()
        yield torch.is_grad_enabled()


p = plain()
print(next(p), torch.is_grad_enabled(), next(p), torch.is_grad_enabled())
p.close()
print(torch.is_grad_enabled())
print(gen.__name__, torch.no_grad()(x for x in [1]) is not None if False else "-")
