"""Hooks that remove themselves, or add another one, while they run."""

import torch

x = torch.tensor(1.0, requires_grad=True)
handles = {}


def once(g):
    print("once", g.item())
    handles["once"].remove()


handles["once"] = x.register_hook(once)
for k in range(3):
    (x * (k + 1)).backward()
print(x.grad)


def adds(g):
    print("adds")
    x.register_hook(lambda g: print("added later"))


h = x.register_hook(adds)
(x * 2).backward()
h.remove()
print("again")
(x * 2).backward()
