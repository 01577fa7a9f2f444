"""Grad modes on recursive functions, coroutines, callables, properties and nested decorators."""
import asyncio
import functools
import torch

trace = []


@torch.no_grad()
def recurse(n):
    trace.append(torch.is_grad_enabled())
    if n:
        with torch.enable_grad():
            trace.append(torch.is_grad_enabled())
            recurse(n - 1)
        trace.append(torch.is_grad_enabled())


recurse(2)
print(trace, torch.is_grad_enabled())


class Callable:
    @torch.no_grad()
    def __call__(self, x):
        return x * 2

    @property
    @torch.no_grad()
    def mode(self):
        return torch.is_grad_enabled()

    @torch.enable_grad()
    @torch.no_grad()
    def stacked(self):
        return torch.is_grad_enabled()

    @torch.no_grad()
    @torch.enable_grad()
    def stacked2(self):
        return torch.is_grad_enabled()


x = torch.ones(1, requires_grad=True)
c = Callable()
print(c(x).requires_grad, c.mode, c.stacked(), c.stacked2())
wrapped = torch.no_grad()(c)
print(wrapped(x))
part = torch.no_grad()(functools.partial(torch.mul, x))
print(part(3))
print(torch.no_grad()(torch.exp)(x))


async def work(name, log):
    with torch.no_grad():
        log.append((name, torch.is_grad_enabled()))
        await asyncio.sleep(0)
        log.append((name, torch.is_grad_enabled()))


log = []
asyncio.run(work("a", log))
print(log, torch.is_grad_enabled())


def gen():
    yield torch.is_grad_enabled()
    yield torch.is_grad_enabled()


with torch.no_grad():
    g = gen()
    first = next(g)
print(first, next(g))
with torch.no_grad():
    squares = (x * k for k in range(2))
print([s.requires_grad for s in squares])
lazy = map(lambda k: (x * k).requires_grad, range(2))
with torch.no_grad():
    print(list(lazy))
try:
    @torch.no_grad
    class Bad:
        pass
    print(type(Bad).__name__)
except Exception as e:
    print(type(e).__name__)
torch.set_grad_enabled(False)
try:
    with torch.enable_grad():
        raise ValueError
except ValueError:
    print(torch.is_grad_enabled())
torch.set_grad_enabled(True)
print(torch.is_grad_enabled(), torch.no_grad()(lambda: torch.is_grad_enabled())())
