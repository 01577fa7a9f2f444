"""equal, allclose, isclose, eq, ==."""
import torch

a = torch.tensor([1.0, 2.0, float("nan")])
b = torch.tensor([1.0, 2.0 + 1e-7, float("nan")])
print(a == b, torch.eq(a, b), torch.equal(a, a), torch.equal(a[:2], b[:2]), torch.equal(torch.ones(2), torch.ones(3)))
print(torch.allclose(a, b), torch.allclose(a, b, equal_nan=True), torch.allclose(a[:2], b[:2] + 1e-3), torch.allclose(a[:2], b[:2] + 1e-3, atol=1e-2))
print(torch.isclose(a, b), torch.isclose(a, b, equal_nan=True), torch.isclose(torch.tensor([1, 2]), torch.tensor([1, 3])))
print((a != b).any(), (a[:2] < 2).all(), torch.all(torch.tensor([])), torch.any(torch.tensor([])))
print(torch.equal(torch.tensor([1]), torch.tensor([1.0])) if True else "")
for g in (lambda: torch.allclose(torch.ones(1), torch.ones(1, dtype=torch.float64)), lambda: torch.equal(torch.ones(1), 1.0), lambda: torch.ones(2) == torch.ones(3), lambda: torch.isclose(torch.ones(2), torch.ones(3)), lambda: torch.allclose(torch.ones(2), [1, 1])):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__)
x = torch.tensor([1.0], requires_grad=True)
print((x == x).requires_grad, torch.equal(x, x.detach()), x.eq(1).item(), x.ne(1), x.gt(0), x.le(1), x.isfinite(), x.isinf())
print(torch.tensor([1, 2]).eq(torch.tensor([[1], [2]])), 1 == torch.tensor(1), torch.tensor(1) in [torch.tensor(2), torch.tensor(1)])
