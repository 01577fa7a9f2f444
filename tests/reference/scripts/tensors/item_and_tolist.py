"""From tensors to Python numbers and lists."""

import torch

print(torch.tensor(3).item(), torch.tensor([2.5]).item(), torch.tensor([[True]]).item(), torch.tensor(1 + 2j).item())
print(type(torch.tensor(3).item()), type(torch.tensor(3.0).item()), type(torch.tensor(True).item()))
print(torch.tensor(0.1).item(), torch.tensor(0.1, dtype=torch.float64).item(), torch.tensor(0.1, dtype=torch.float16).item())
print(torch.arange(6).view(2, 3).tolist(), torch.tensor(5).tolist(), torch.tensor([]).tolist(), torch.zeros(2, 0).tolist())
print(torch.tensor([True, False]).tolist(), torch.tensor([1 + 1j]).tolist(), torch.tensor([0.1]).tolist())
for bad in (torch.ones(2), torch.ones(0)):
    try:
        bad.item()
    except RuntimeError as err:
        print(type(err).__name__, "cannot be converted to Scalar" in str(err))
x = torch.ones(2, requires_grad=True)
print(x.sum().item(), x.tolist(), (x * 2).tolist())
print(torch.tensor(7, dtype=torch.uint8).item(), torch.tensor(-1, dtype=torch.int8).item(), torch.tensor(1.5, dtype=torch.bfloat16).item())
