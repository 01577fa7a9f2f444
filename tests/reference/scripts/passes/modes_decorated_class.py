"""no_grad on methods and on a class."""

import warnings
import torch


class Tracker:
    def __init__(self):
        self.total = torch.zeros(1, requires_grad=True)

    @torch.no_grad()
    def update(self, v):
        self.total += v
        return torch.is_grad_enabled()

    @staticmethod
    @torch.no_grad()
    def peek():
        return torch.is_grad_enabled()

    @property
    @torch.no_grad()
    def value(self):
        return (self.total * 2).requires_grad


t = Tracker()
print(t.update(torch.ones(1)), t.total, Tracker.peek(), t.value)

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")

    @torch.no_grad()
    class Old:
        def __init__(self):
            self.inside = torch.is_grad_enabled()

        def method(self):
            return torch.is_grad_enabled()

    o = Old()
print(o.inside, o.method(), [w.category.__name__ for w in caught])


@torch.no_grad()
def recursive(n):
    return [torch.is_grad_enabled()] + (recursive(n - 1) if n else [])


print(recursive(2), torch.is_grad_enabled())
f = torch.no_grad()(lambda: torch.is_grad_enabled())
print(f())
