"""saved_tensors_hooks: what is packed, when it is unpacked."""

import torch
from torch.autograd.graph import saved_tensors_hooks


def pack(x):
    print("Packing", x)
    return x


def unpack(x):
    print("Unpacking", x)
    return x


a = torch.ones(3, requires_grad=True)
b = torch.ones(3, requires_grad=True) * 2
with saved_tensors_hooks(pack, unpack):
    y = a * b
print("backward")
y.sum().backward()
print(a.grad)

with saved_tensors_hooks(pack, unpack):
    z = a.exp()
    w = a + 1
    with torch.no_grad():
        a.sin()
z.sum().backward()
