"""zeros, ones, full, eye, arange, linspace, logspace."""

import torch

print(torch.zeros(2, 3), torch.ones((2,)), torch.zeros([]), torch.ones(size=(1, 2)), torch.zeros(torch.Size([2])))
print(torch.full((2, 2), 7), torch.full((2,), 1.5), torch.full((), True), torch.full((1,), 1j), torch.full([2], 3, dtype=torch.float64))
print(torch.eye(3), torch.eye(2, 3, dtype=torch.int64), torch.eye(0))
print(torch.arange(5), torch.arange(1, 5), torch.arange(5, 1, -2), torch.arange(0, 1, 0.25), torch.arange(0), torch.arange(2.5))
print(torch.arange(3, dtype=torch.float64), torch.arange(start=1, end=3), torch.arange(1, 2, 0.3, requires_grad=True))
print(torch.linspace(0, 1, 5), torch.linspace(1, 1, 1), torch.linspace(0, 10, steps=3, dtype=torch.int64), torch.linspace(-1, 1, 4, dtype=torch.float64))
print(torch.empty(0), torch.empty(2, 0).shape, torch.zeros(2, dtype=torch.bool), torch.tensor(()).shape)
print(torch.tril(torch.ones(3, 3)), torch.triu(torch.ones(2, 3), 1), torch.diag(torch.tensor([1, 2])))
print(torch.tril_indices(3, 3), torch.triu_indices(2, 2), torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4])))
for bad in (lambda: torch.arange(1, 5, -1), lambda: torch.zeros(-1), lambda: torch.linspace(0, 1, -1), lambda: torch.arange(0, 5, 0),
            lambda: torch.zeros(2.5), lambda: torch.full((2,)), lambda: torch.zeros()):
    try:
        print(bad())
    except Exception as err:
        print(type(err).__name__)
