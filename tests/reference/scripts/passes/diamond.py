"""Paths that part and meet again: each is counted once per path."""

import torch

x = torch.tensor(2.0, requires_grad=True)
a = x * 3
b = a * a
c = a + b
d = b * c + a
d.backward()
print(d, x.grad)

x.grad = None
y = x
for _ in range(5):
    y = y + y
y.backward()
print(x.grad)

x.grad = None
y = x
for _ in range(20):
    y = y * 0.5 + y * 0.5
y.backward()
print(x.grad)

calls = []
x.grad = None
m = x * 1
m.register_hook(lambda g: calls.append(g.item()))
(m * 2 + m * 3 + m * m).backward()
print(calls, x.grad)
