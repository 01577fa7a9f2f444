"""copy_, fill_, zero_ and assignment convert."""

import torch

i = torch.zeros(3, dtype=torch.int64)
i.copy_(torch.tensor([1.9, -1.9, 0.5]))
print(i)
i[0] = 7.9
print(i)
i.fill_(3)
print(i, i.zero_())
f = torch.zeros(2, 2)
f[0] = torch.tensor([1, 2])
f[:, 1] = 9
f[1, 0] = True
print(f)
f.copy_(torch.tensor([5, 6]))
print(f, f.dtype)
b = torch.zeros(2, dtype=torch.bool)
b[0] = 5
b.copy_(torch.tensor([0.0, 0.1]))
print(b)
x = torch.ones(2, dtype=torch.float64, requires_grad=True)
y = torch.zeros(2)
y.copy_(x)
y.sum().backward()
print(x.grad, y.grad_fn)
try:
    f.copy_(torch.ones(3))
except RuntimeError as err:
    print(type(err).__name__)
try:
    f[0] = torch.ones(3)
except RuntimeError as err:
    print(type(err).__name__)
try:
    f.fill_(torch.ones(2))
except RuntimeError as err:
    print(type(err).__name__)
