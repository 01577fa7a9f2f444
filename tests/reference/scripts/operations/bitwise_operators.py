"""Bitwise operators on bools and ints, twins in place, refusals on floats."""

import torch

a = torch.tensor([0b1100, 0b1010, -1], dtype=torch.int8)
b = torch.tensor([0b0110, 0b0011, 7], dtype=torch.int8)
print(a & b, a | b, a ^ b, ~a)
print(
    torch.bitwise_and(a, 4), torch.bitwise_or(a, b), torch.bitwise_xor(a, b), torch.bitwise_not(a)
)
print(3 & b, 3 | b, 3 ^ b)
p = torch.tensor([True, True, False])
q = torch.tensor([True, False, False])
print(p & q, p | q, p ^ q, ~p, p & True, False | q)
print(
    torch.logical_and(a, b), torch.logical_or(p, b), torch.logical_xor(p, q), torch.logical_not(a)
)
a &= 7
print(a)
a |= 8
a ^= 1
print(a, a.dtype)
for bad in [
    lambda: torch.tensor([1.0]) & 1,
    lambda: ~torch.tensor([1.0]),
    lambda: torch.tensor([1]) | 1.0,
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
print((p & torch.tensor([1, 2, 3])).dtype, (a & torch.tensor([1, 2, 3])).dtype)
print(torch.logical_not(torch.tensor([0.0, 2.0, float("nan")])))
print(p.logical_and_(q), p)
print(torch.tensor(5).bitwise_and(torch.tensor([4, 1])), a.bitwise_xor_(a))
