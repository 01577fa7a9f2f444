"""The default dtype decides what Python floats become."""

import torch

print(torch.get_default_dtype())
torch.set_default_dtype(torch.float64)
try:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    print(x, x.dtype)
    print(torch.zeros(2), torch.zeros(2).dtype, torch.arange(3).dtype, torch.arange(3.0).dtype)
    print(torch.tensor(1j).dtype, (torch.arange(3) / 2).dtype, torch.tensor([1, 2]).mean if False else "")
    print(torch.ones(2, dtype=torch.float32))
    print(torch.Tensor([1, 2]).dtype)
    (x**2).sum().backward()
    print(x.grad)
finally:
    torch.set_default_dtype(torch.float32)
print(x, torch.zeros(1).dtype)
for bad in (torch.int32, "float32"):
    try:
        torch.set_default_dtype(bad)
    except TypeError as err:
        print(type(err).__name__)
print(torch.get_default_dtype())
