"""set_default_dtype and what it changes."""
import numpy as np
import torch

print(torch.get_default_dtype())
torch.set_default_dtype(torch.float64)
print(torch.get_default_dtype(), torch.tensor(1.5).dtype, torch.tensor(1j).dtype, torch.zeros(1).dtype, torch.arange(2.0).dtype, torch.tensor([1, 2]).dtype, torch.Tensor([1]).dtype)
print(torch.tensor([1.0, 2.0]), torch.tensor([1.0], dtype=torch.float32), torch.tensor([1 + 1j]), torch.tensor([1 + 1j], dtype=torch.complex64))
print(torch.ones(2, requires_grad=True), (torch.tensor([1, 2]) / 2), torch.tensor([1, 2]) * 0.5, torch.tensor([1, 2]).sqrt())
print(torch.nn.Linear(1, 1).weight.dtype, torch.rand(1).dtype, torch.eye(1).dtype, torch.full((1,), 2.0).dtype, torch.linspace(0, 1, 2).dtype, torch.tensor(np.float32(1)).dtype)
print(torch.result_type(torch.tensor([1]), 1.5))
x = torch.tensor([1.0], requires_grad=True)
(x * torch.tensor([2.0], dtype=torch.float32)).backward()
print(x.grad)
torch.set_default_dtype(torch.float16)
print(torch.tensor([1.0]), torch.tensor([1.0], dtype=torch.float32))
torch.set_default_dtype(torch.bfloat16)
print(torch.tensor([1.0]), torch.zeros(2).dtype)
for bad in (torch.int64, torch.complex64, torch.bool, "float32", None):
    try:
        torch.set_default_dtype(bad)
        print("accepted", torch.get_default_dtype())
    except Exception as e:
        print(type(e).__name__)
torch.set_default_dtype(torch.float32)
torch.set_default_dtype(torch.float32)
print(torch.tensor(1.0), torch.get_default_device() if hasattr(torch, "get_default_device") else "")
torch.set_default_device("cpu")
print(torch.ones(1).device)
