"""Changing a value that backward needs is refused; changing one it does not need is not."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)

y = x.exp()
y += 1
try:
    y.sum().backward()
except RuntimeError as e:
    print("exp:", "modified by an inplace operation" in str(e))

y = x * 3
y += 1
y.sum().backward()
print(x.grad)

x.grad = None
a = x * 2
b = a**2
a.mul_(10)
try:
    b.sum().backward()
except RuntimeError as e:
    print("pow:", "modified by an inplace operation" in str(e))

a = x.sigmoid()
b = a * 2
a.data.fill_(0.5)
b.sum().backward()
print("data goes unnoticed", x.grad)

x.grad = None
w = torch.tensor([4.0, 5.0])
z = x * w
w.zero_()
try:
    z.sum().backward()
except RuntimeError as e:
    print("mul:", type(e).__name__, "expected version 0" in str(e))
w = torch.tensor([4.0, 5.0])
z = x * w
with torch.no_grad():
    x.add_(100)
z.sum().backward()
print(x.grad, x)
