"""Lists, nested lists, tuples, generators of tensors and numbers to tensors and back."""

import torch

parts = [torch.tensor(float(i), requires_grad=i % 2 == 0) for i in range(4)]
print(
    torch.stack(parts),
    torch.tensor([p.item() for p in parts]),
    torch.stack([p * 2 for p in parts]).sum(),
)
torch.stack(parts).prod().backward()
print([p.grad for p in parts])
print(
    torch.tensor([[1, 2], [3, 4]]).tolist(),
    torch.tensor([torch.tensor(1.5), 2]),
    torch.as_tensor([1, 2.0]),
    torch.tensor([[True], [False]]).tolist(),
)
print(
    torch.cat([torch.arange(i) for i in range(4)]),
    torch.cat(tuple(torch.ones(1, i) for i in (1, 2)), 1),
    torch.stack(list(torch.eye(2))).tolist(),
)
m = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(
    dict(zip("ab", m.unbind())),
    [r.tolist() for r in m],
    [c.tolist() for c in m.T],
    list(map(float, m[0])),
    max(m.flatten().tolist()),
    sum(m[1]).item(),
)
print(
    torch.tensor(m.tolist()) == m,
    torch.tensor(m[0].tolist() + [5]).shape,
    torch.tensor([]).tolist(),
    torch.empty(2, 0).tolist(),
    torch.tensor(3).tolist(),
    torch.tensor(1 + 2j).tolist(),
)
for bad in [
    lambda: torch.tensor([m, m]),
    lambda: torch.tensor([m[0], 1]),
    lambda: torch.stack(m[0, 0]),
    lambda: torch.tensor([[1, 2], 3]),
    lambda: torch.stack([1, 2]),
    lambda: torch.tensor({1: 2}),
    lambda: torch.cat([[1, 2], [3]]),
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
nested = [[torch.tensor(1), torch.tensor(2)], [torch.tensor(3), torch.tensor(4)]]
print(
    torch.stack([torch.stack(row) for row in nested]),
    torch.tensor([[v.item() for v in row] for row in nested]).dtype,
)
a, (b, c) = torch.tensor([1, 2]), torch.tensor([[3], [4]])
print(a, b, c, *torch.arange(3), [*torch.ones(2)])
print(
    torch.vstack([torch.tensor([i, i**2]) for i in range(3)]),
    torch.hstack((torch.tensor(1), torch.tensor([2, 3]))),
    torch.column_stack((torch.tensor([1, 2]), torch.eye(2))),
    torch.dstack((torch.tensor([1, 2]), torch.tensor([3, 4]))),
)
