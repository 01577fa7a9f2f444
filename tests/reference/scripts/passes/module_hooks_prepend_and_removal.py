"""Prepended backward hooks, hooks that always run, hooks on containers, removal by context."""

import torch
from torch import nn

order = []
lin = nn.Linear(1, 1, bias=False)
with torch.no_grad():
    lin.weight.fill_(2.0)
lin.register_full_backward_hook(lambda m, gi, go: order.append("second"))
lin.register_full_backward_hook(lambda m, gi, go: order.append("first"), prepend=True)
lin.register_full_backward_pre_hook(lambda m, go: order.append("pre"))
lin(torch.ones(1, 1, requires_grad=True)).sum().backward()
print(order)


class Fails(nn.Module):
    def forward(self, x):
        raise ValueError("no")


f = Fails()
f.register_forward_hook(lambda m, a, o: order.append(("always", o)), always_call=True)
f.register_forward_hook(lambda m, a, o: order.append("never"))
try:
    f(1)
except ValueError:
    print(order[3:])

with lin.register_forward_hook(lambda m, a, o: o + 100):
    print(lin(torch.ones(1, 1)).item())
print(lin(torch.ones(1, 1)).item())


class TwoOut(nn.Module):
    def forward(self, a, b):
        return a * b, a + b


seen = []
m = TwoOut()
m.register_full_backward_hook(
    lambda mod, gi, go: seen.append(
        (
            [None if g is None else g.item() for g in gi],
            [None if g is None else g.item() for g in go],
        )
    )
)
a, b = torch.tensor(2.0, requires_grad=True), torch.tensor(3.0)
p, s = m(a, b)
(p * 5).backward(retain_graph=True)
(p + s).backward()
print(seen, a.grad)


def bad(m, args):
    return "nothing useful"


lin.register_forward_pre_hook(bad)
try:
    lin(torch.ones(1, 1))
except Exception as e:
    print(type(e).__name__)
