"""What a hook may not return."""

import torch


def attempt(result):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: result)
    try:
        y.sum().backward()
        print("fine", x.grad)
    except Exception as e:
        print(type(e).__name__)


attempt(None)
attempt(torch.tensor([5.0, 6.0]))
attempt(torch.ones(3))
attempt(1.0)
attempt("text")
attempt(torch.ones(2, dtype=torch.float64))

x = torch.ones(2, requires_grad=True)


def in_place(g):
    g *= 2


y = x * 3
y.register_hook(lambda g: g.clone().mul_(2))
y.sum().backward()
print(x.grad)
