"""dtype, size, requires_grad and grad_fn after the values."""

import torch

for dtype in (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16,
              torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128):
    print(torch.zeros(2, dtype=dtype), torch.zeros((), dtype=dtype), torch.zeros(0, dtype=dtype), torch.zeros(0, 3, dtype=dtype))
x = torch.ones(2, 2, requires_grad=True)
print(x)
print(x * 2)
print((x * 2).sum())
print(x.double())
print(torch.ones(30, requires_grad=True) + 0.123456)
print(torch.ones(2, 8, requires_grad=True, dtype=torch.float64) / 3)
print(torch.nn.Parameter(torch.zeros(2)))
print([x.detach(), torch.tensor(1)])
print({"w": x})
print(f"{x}", str(x) == repr(x))
