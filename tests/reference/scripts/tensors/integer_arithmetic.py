"""Division, remainder, shifts and overflow of integers."""

import torch

a = torch.tensor([7, -7, 6])
print(a / 2, a // 2, a % 4, a % -4, torch.fmod(a, 4), torch.div(a, 2, rounding_mode="trunc"), torch.div(a, 2, rounding_mode="floor"))
print(torch.tensor([200], dtype=torch.uint8) + 100, torch.tensor([127], dtype=torch.int8) + 1, torch.tensor(2**31 - 1, dtype=torch.int32) + 1)
print(a.sum(), a.prod(), a.float().mean(), a.sum().dtype, torch.tensor([1, 2], dtype=torch.int8).sum().dtype, torch.tensor([True, True]).sum(), a.cumsum(0), a.max(), a.abs().min())
for bad in (lambda: a.mean(), lambda: a // 0, lambda: a % 0, lambda: torch.tensor([2]) ** -1, lambda: a.std(), lambda: a.softmax(0)):
    try:
        print(bad())
    except (RuntimeError, ZeroDivisionError) as err:
        print(type(err).__name__)
print(torch.tensor([1.0, -1.0]) // 0, torch.tensor([7.5]) // 2, torch.tensor([7.5, -7.5]) % 2, 7 // torch.tensor(2), 7 % torch.tensor(4), 7.5 / torch.tensor(2))
