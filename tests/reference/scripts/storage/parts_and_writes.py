"""split, chunk and unbind give views that may not be written in place."""

import torch


def attempt(name, f):
    try:
        f()
        print(name, "ok")
    except RuntimeError as e:
        print(name, "RuntimeError")


x = torch.arange(6.0, requires_grad=True)
y = x * 1
for name in ["split", "chunk", "unbind", "tensor_split", "hsplit"]:
    y = x.clone()
    parts = {
        "split": lambda: y.split(2),
        "chunk": lambda: y.chunk(3),
        "unbind": lambda: y.view(3, 2).unbind(0),
        "tensor_split": lambda: y.tensor_split(3),
        "hsplit": lambda: y.hsplit(3),
    }[name]()
    print(
        name,
        [tuple(p.shape) for p in parts],
        parts[0].grad_fn,
        parts[0]._is_view(),
        parts[0]._base is y,
        type(parts).__name__,
    )
    attempt(name + " part", lambda: parts[0].mul_(2))
    attempt(name + " base then part", lambda: (y.mul_(2), parts[1].sum().backward()))
    with torch.no_grad():
        attempt(name + " no_grad", lambda: parts[2].mul_(2))
    attempt(name + " use after", lambda: (parts[2] * 1).sum().backward())
plain = torch.arange(6.0)
a, b, c = plain.split(2)
a.mul_(5)
b.add_(c)
print(plain, a._version, plain._version)
print(a._is_view(), a._base is plain)
