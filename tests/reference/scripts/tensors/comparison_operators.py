"""Comparisons, logic and their dtypes."""

import torch

a = torch.tensor([1, 2, 3])
b = torch.tensor([3.0, 2.0, 1.0])
print(a < b, a <= b, a == b, a != b, a > 1.5, 2 >= a)
print((a == b).dtype, torch.eq(a, 2), torch.logical_and(a > 1, b > 1), (a > 1) & (b > 1), (a > 1) | (b > 2), ~(a > 1), (a > 1) ^ (b > 1))
print(torch.logical_not(torch.tensor([0, 1, 2])), torch.logical_xor(torch.tensor([True, False]), torch.tensor([True, True])))
print((a > 1).any(), (a > 1).all(), (a > 1).sum(), (a > 1).float().mean(), torch.any(a > 5), (a > 1).nonzero(), torch.nonzero(a > 1, as_tuple=True))
print(torch.maximum(a, torch.tensor([2, 2, 2])), torch.minimum(b, torch.tensor(1.5)), torch.isnan(torch.tensor([float("nan"), 1.0])), torch.isinf(torch.tensor([float("inf"), -1.0])), torch.isfinite(torch.tensor([1.0, float("inf")])))
n = torch.tensor(float("nan"))
print(n == n, n != n, n < 1, torch.equal(torch.tensor([float("nan")]), torch.tensor([float("nan")])), torch.allclose(n, n, equal_nan=True))
print(a.eq(torch.tensor([1, 0, 3])).all().item(), bool((a == a).all()), a.gt(2).tolist(), a.isclose(torch.tensor([1, 2, 4])))
try:
    a < torch.ones(2)
except RuntimeError as err:
    print(type(err).__name__)
try:
    torch.tensor([1j]) < torch.tensor([2j])
except RuntimeError as err:
    print(type(err).__name__)
print(torch.tensor([1j]) == torch.tensor([1j]), (torch.tensor([1, 2]) == torch.tensor([1.0, 2.5])), torch.tensor([True]) == 1)
