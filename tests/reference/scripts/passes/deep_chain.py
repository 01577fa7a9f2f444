"""Ten thousand operations in a row, and a wide sum: no recursion limit."""

import torch

x = torch.tensor([1.0, -1.0], dtype=torch.float64, requires_grad=True)
y = x
for i in range(10000):
    y = y + 0.0001
y.sum().backward()
print(x.grad)

x.grad = None
y = x
for i in range(3000):
    y = -y
y.sum().backward()
print(x.grad)

x.grad = None
torch.stack([x * i for i in range(200)]).sum().backward()
print(x.grad)
del y
print("deleted")
