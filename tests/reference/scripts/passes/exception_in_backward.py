"""An exception in a hook stops the pass; what was accumulated before stays."""

import torch

a = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(2.0, requires_grad=True)


class Stop(Exception):
    pass


def fail(g):
    raise Stop("here")


h = a * 3
h.register_hook(fail)
out = b * 5 + h
try:
    out.backward()
except Stop as e:
    print("stopped:", e)
print(a.grad)
print(torch.is_grad_enabled())

# afterwards everything works as before
c = torch.tensor(2.0, requires_grad=True)
(c**2).backward()
print(c.grad)
try:
    (1 / 0)
except ZeroDivisionError:
    c.grad = None
    (c**3).backward()
    print(c.grad)
