"""Comparisons: operators, methods, equal, allclose, isclose, and mixed types."""
import torch

a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
b = torch.tensor([1, 3, 2])
print(a == b, a != b, a < b, a <= b, a > b, a >= b)
print(torch.eq(a, b), a.ne(2), a.lt(b), torch.le(a, 2), a.gt(1.5), torch.ge(a, b), (a == b).requires_grad)
print(a == 1, 2 < a, 2 >= a, a == None, a is None, a != "x" if False else "")
print(torch.equal(a, a.clone()), torch.equal(a, b.float()), torch.allclose(a, a + 1e-9), torch.allclose(a, a + 1))
print(torch.isclose(a, a + 1e-6), torch.isclose(torch.tensor(float("nan")), torch.tensor(float("nan")), equal_nan=True))
print((a < 2) == torch.tensor([True, False, False]), bool((a == a).all()), torch.tensor([1]) == torch.tensor([1.0]))
print(torch.tensor([True]) == 1, torch.tensor(0.5) > torch.tensor([0.0, 1.0]), torch.tensor([[1], [2]]) < torch.tensor([1, 3]))
print(torch.max(a, b.float()), torch.minimum(a, b), torch.fmax(a, b.float()), 3 in a, 5 in a)
try:
    print(a == torch.ones(2))
except RuntimeError as e:
    print(type(e).__name__)
try:
    torch.equal(a, [1.0])
except TypeError as e:
    print(type(e).__name__)
try:
    torch.allclose(a, b)
except RuntimeError as e:
    print(type(e).__name__)
print(sorted([torch.tensor(3), torch.tensor(1), torch.tensor(2)]), max(torch.tensor([1, 5, 2])), torch.tensor([1, 2]).tolist() == [1, 2])
