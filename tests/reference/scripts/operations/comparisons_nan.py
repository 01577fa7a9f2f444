"""Comparisons with nan, scalars, mixed dtypes; isclose, equal, allclose."""

import torch

nan, inf = float("nan"), float("inf")
x = torch.tensor([1.0, nan, inf, -inf])
y = torch.tensor([1.0, nan, inf, inf])
print(x == y, x != y, x < y, x <= y, x > y, x >= y)
print(
    torch.eq(x, 1),
    torch.ne(x, nan),
    torch.lt(x, inf),
    x.ge(y),
    x.greater(0),
    x.less_equal(y),
    torch.not_equal(x, y),
)
print(1 < torch.tensor([0, 1, 2]), 2.5 >= torch.tensor([2, 3]))
print(
    torch.isclose(x, y),
    torch.isclose(x, y, equal_nan=True),
    torch.isclose(torch.tensor([1.0, 100.0]), torch.tensor([1.1, 101.0]), rtol=0.05),
)
print(
    torch.equal(x, x),
    torch.equal(torch.ones(2), torch.ones(2, 1)),
    torch.allclose(x, y),
    torch.allclose(x[:1], y[:1] + 1e-9),
)
print(
    torch.isnan(x),
    torch.isinf(x),
    torch.isfinite(x),
)
print(torch.isnan(torch.tensor([1, 2])), torch.isfinite(torch.tensor([True])))
print(torch.tensor([1, 2]) == torch.tensor([1.0, 2.5]), torch.tensor(True) == 1)
print(x.eq(None) if False else (x == None), x != "a")
out = torch.empty(4, dtype=torch.bool)
print(torch.gt(x, 0, out=out) is out, out)
z = torch.tensor([3.0, -1.0])
z.gt_(0)
print(z, z.dtype)
for bad in [
    lambda: torch.ones(2) == torch.ones(3),
    lambda: torch.ones(2) < "a",
    lambda: bool(torch.ones(2) == torch.ones(2)),
    lambda: torch.allclose(torch.ones(2), torch.ones(2, dtype=torch.float64)),
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
g = torch.tensor([1.0, 2.0], requires_grad=True)
print((g > 1).requires_grad, (g == g).grad_fn)
print(
)
