"""Nested hooks: the innermost pair applies; hooks do not apply outside the block."""

import torch
from torch.autograd.graph import saved_tensors_hooks

log = []


def pair(name):
    return saved_tensors_hooks(
        lambda t: (log.append("pack " + name), t)[1], lambda t: (log.append("unpack " + name), t)[1]
    )


x = torch.tensor(2.0, requires_grad=True)
with pair("outer"):
    a = x * x
    with pair("inner"):
        b = a.exp()
    c = b.log()
d = c * c
print(log)
log.clear()
d.backward()
print(log)
print(x.grad)

try:
    with saved_tensors_hooks(lambda t: t, lambda t: 5):
        e = x * x
    e.backward()
except Exception as err:
    print(type(err).__name__)
try:
    with saved_tensors_hooks(lambda t: t.mul_(2), lambda t: t):
        e = (x + 1) ** 2
except RuntimeError as err:
    print(type(err).__name__, "modifying" in str(err) or "inplace" in str(err))


def fails(t):
    raise ValueError("no room")


try:
    with saved_tensors_hooks(fails, lambda t: t):
        x * x
except ValueError as err:
    print(err)
print((x * x).requires_grad)
