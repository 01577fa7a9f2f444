"""How results print: precision, signs, wide ranges, bools, empties, nodes."""

import torch

print(
    torch.tensor([1.0, 2.0]),
    torch.tensor([1.5, 1e-5]),
    torch.tensor([1e10, 1.0]),
    torch.tensor([1e-10]),
    torch.tensor([123456.789]),
    torch.tensor([1e8, 2e8]),
    torch.tensor([0.1, 100000.5]),
)
print(
    torch.tensor([float("nan"), 1.0]),
    torch.tensor([float("inf"), -1.5]),
    torch.tensor([-0.0]),
    torch.tensor([1e38, 1e-38]),
    torch.tensor(1e-4),
    torch.tensor(99999.0),
    torch.tensor(12345678.0),
)
print(
    torch.tensor([True, False]),
    torch.tensor([1, -100]),
    torch.tensor(5),
    torch.tensor([[1], [2]]),
    torch.tensor([]),
    torch.empty(0, 3),
    torch.empty(2, 0, dtype=torch.int64),
    torch.tensor([], dtype=torch.bool),
)
print(torch.arange(1001.0), torch.zeros(30, 30), torch.arange(24).view(2, 3, 4))
print(
    torch.tensor([1 + 2j, -1.5j]),
    torch.tensor(1 + 0j),
    torch.tensor([1e10 + 1j]),
    torch.tensor([0.5], dtype=torch.complex128),
)
print(
    torch.tensor([1.0], dtype=torch.float64),
    torch.tensor([1], dtype=torch.uint8),
    torch.tensor([1.0], dtype=torch.bfloat16),
    torch.tensor([0.1], dtype=torch.float16),
)
x = torch.tensor([1.0, 2.0], requires_grad=True)
print(
    x,
    x * 2,
    x.sum(),
    x.view(2, 1),
    x[0],
    x.double(),
    (x * 2).detach(),
    x.unbind()[0],
    x.max(),
    x.sort()[0],
    torch.cat([x, x]),
    x.clone(),
    x.exp(),
)
torch.set_printoptions(precision=2)
print(torch.tensor([3.14159, 2.71828]), torch.tensor(1e-3))
torch.set_printoptions(sci_mode=True)
print(torch.tensor([3.14159, 271.828]))
torch.set_printoptions(profile="default")
torch.set_printoptions(sci_mode=False, linewidth=40)
print(torch.arange(20.0), torch.tensor([1e-10, 1e5]))
torch.set_printoptions(threshold=5, edgeitems=1)
print(torch.arange(10), torch.ones(4, 4))
torch.set_printoptions(profile="default")
print(
    torch.tensor([[1.5, float("nan")], [float("-inf"), 1e6]]),
    torch.nn.Parameter(torch.ones(2)),
    torch.Size((2, 3)),
    torch.float32,
    torch.device("cpu"),
)
