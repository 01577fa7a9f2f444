"""arange, linspace, logspace, full, eye, zeros in every form."""

import torch

print(
    torch.arange(5),
    torch.arange(1, 4),
    torch.arange(0, 1, 0.3),
    torch.arange(5, 0, -2),
    torch.arange(3.0),
    torch.arange(0, 3, dtype=torch.float16),
    torch.arange(2.5),
    torch.arange(0),
)
print(
    torch.linspace(0, 1, 5),
    torch.linspace(3, -3, 4),
    torch.linspace(0, 1, 1),
    torch.linspace(1, 2, 0),
    torch.linspace(0, 10, 3, dtype=torch.int64),
)
print(
    torch.full((2, 2), 7),
    torch.full((2,), True),
    torch.full((), 1.5),
    torch.full((1,), 2j),
    torch.zeros(2, 3, dtype=torch.int8),
    torch.ones([2]),
    torch.zeros(()),
    torch.zeros(0),
    torch.eye(3, 2),
    torch.empty((2, 0)),
)
print(
    torch.tensor([[1, 2], [3, 4.0]]),
    torch.tensor((True, False)),
    torch.tensor(3),
    torch.tensor([1, True]),
    torch.tensor([1, 2.5, True]),
    torch.tensor([[]]),
    torch.tensor([1 + 1j, 2]),
    torch.tensor([torch.tensor(1), torch.tensor(2)]),
    torch.tensor(range(3)),
)
print(
    torch.Tensor([1, 2]),
    torch.Tensor(2, 0).shape,
    torch.FloatTensor([1]),
    torch.LongTensor([1, 2]),
    torch.BoolTensor([True]),
    torch.DoubleTensor([1]).dtype,
    torch.IntTensor([1]),
)
for bad in [
    lambda: torch.tensor([[1, 2], [3]]),
    lambda: torch.arange(1, 5, -1),
    lambda: torch.arange(0, 1, 0),
    lambda: torch.linspace(0, 1),
    lambda: torch.zeros(-1),
    lambda: torch.tensor("a"),
    lambda: torch.tensor(None),
    lambda: torch.tensor(),
    lambda: torch.full((2,)),
    lambda: torch.ones(2.0),
    lambda: torch.eye(-1),
    lambda: torch.arange(0, 1, dtype=torch.bool),
    lambda: torch.linspace(0, 1, -1),
    lambda: torch.zeros(2, requires_grad=1),
    lambda: torch.ones(2, dtype="float32"),
    lambda: torch.tensor([2**70]),
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
torch.set_default_dtype(torch.float64)
print(
    torch.tensor([1.0]).dtype,
    torch.arange(1.0).dtype,
    torch.zeros(1).dtype,
    torch.tensor(1j).dtype,
    torch.get_default_dtype(),
    torch.tensor([1.0]),
)
torch.set_default_dtype(torch.float32)
print(
    torch.zeros(2, requires_grad=True),
    torch.rand(2, generator=torch.Generator().manual_seed(1)).shape,
    torch.ones(2, device="cpu").device,
    torch.tensor([1.0], requires_grad=True).is_leaf,
)
