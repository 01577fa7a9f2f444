"""Integers wrap, promote, reduce and refuse."""

import torch

b = torch.tensor([250, 5, 0], dtype=torch.uint8)
i = torch.tensor([120, -128, 7], dtype=torch.int8)
print(b + 10, b - 6, -b, b * 2, b // 2, i + 10, -i, i.abs(), i * i)
print(b + 300, (b + torch.tensor(300)).dtype, (b + torch.tensor([300, 300, 300])).dtype, i + 1.5)
print(
    b.sum(),
    b.sum().dtype,
    b.sum(dtype=torch.uint8),
    i.prod(),
    i.float().mean(),
    b.max(),
    b.min(),
    i.cumsum(0),
)
print(
)
print(
    torch.sign(i),
    torch.sgn(i),
    torch.signbit(i),
    i.clamp(-5, 5),
    torch.square(i),
    torch.minimum(i, torch.tensor(3, dtype=torch.int8)),
)
for bad in [
    lambda: b.mean(),
    lambda: b.std(),
    lambda: torch.tensor([1, 2], requires_grad=True),
    lambda: b.add_(1.5),
    lambda: b.div_(2),
    lambda: b.norm(),
    lambda: torch.ones(2, dtype=torch.long) @ torch.ones(2),
    lambda: torch.tensor(300, dtype=torch.uint8),
    lambda: b.requires_grad_(),
    lambda: -torch.tensor([True]),
    lambda: torch.tensor([True]) - torch.tensor([True]),
    lambda: torch.tensor([1]).softmax(0),
    lambda: torch.tensor([1]).dropout(0.5),
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
print(
    torch.tensor([True]) + torch.tensor([True]),
    torch.tensor([True]) * 3,
    torch.tensor([True, False]).sum(),
    torch.tensor([True]) / 2,
    torch.tensor([True]) ** 2,
)
b += 10
b *= 2
b //= 3
print(b, b.dtype)
print(
    torch.tensor([5, 3]) @ torch.tensor([2, 1]),
    torch.ones(2, 2, dtype=torch.int64).mm(torch.eye(2, dtype=torch.int64)),
    torch.tensor([1, 2]).dot(torch.tensor([3, 4])),
)
print(
    torch.iinfo(torch.int8),
    torch.iinfo(torch.int64).max,
    torch.tensor(2**62) * 2,
    torch.tensor(7).bool(),
    int(torch.tensor(3.9)),
    torch.tensor([2.7, -2.7]).int(),
    torch.tensor([2.7, -2.7]).to(torch.int64),
)
print(
    torch.tensor([3, 4]).float().norm(),
    torch.tensor([1, 2, 3]).double().var(),
    torch.count_nonzero(torch.tensor([[0, 1], [2, 0]])),
    torch.count_nonzero(torch.tensor([[0, 1], [2, 3]]), dim=0),
)
print(
)
