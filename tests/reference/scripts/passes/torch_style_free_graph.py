"""Pieces of a graph freed by one pass, and pieces that are not."""

import torch


def run(order):
    x = torch.tensor(2.0, requires_grad=True)
    a = x.exp()
    b = a.log()
    c = a.sin()
    results = []
    for name in order:
        try:
            {"b": b, "c": c, "a": a}[name].backward()
            results.append(f"{name} {x.grad.item():.4f}")
        except RuntimeError as e:
            results.append(f"{name} {type(e).__name__}")
    return results


for order in ("bc", "cb", "ab", "aa", "bb"):
    print(order, run(order))
x = torch.tensor(2.0, requires_grad=True)
y = x + 1
z = y * 3
z.backward()
try:
    z.backward()
    print("again", x.grad)
except RuntimeError as e:
    print(type(e).__name__)
w = torch.tensor(1.0, requires_grad=True)
s = (x + w) - x
s.backward()
s.backward()
print(x.grad, w.grad)
t = x.view(1).expand(3).sum()
t.backward()
t.backward()
print(x.grad)
