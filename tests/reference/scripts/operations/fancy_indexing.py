"""Advanced indexing as NumPy users write it."""

import torch

x = torch.arange(24).view(2, 3, 4)
print(x[0, 1], x[..., -1], x[:, ::2, 1:3], x[None, 0].shape, x[:, None].shape)
print(
    x[[0, 1], [1, 2]], x[:, [0, 2]].shape, x[torch.tensor([1, 0]), :, 2], x[[0, 1], :, [0, 1]].shape
)
print(
    x[x % 5 == 0],
    x[torch.tensor([True, False])].shape,
    x[:, torch.tensor([True, False, True])].shape,
)
print(x[..., None].shape, x[True].shape, x[False].shape, x[torch.tensor(1)].shape, x[1][2][3])
print(
    x[:, [[0, 1], [1, 2]]].shape,
    x[0, :, [0, 1]].shape,
    x[0][:, [0, 1]].shape,
    x[slice(0, 1), ...].shape,
)
for bad in [
    lambda: x[2],
    lambda: x[0, 0, 0, 0],
    lambda: x[:, :, ::-1],
    lambda: x[1.0],
    lambda: x["a"],
    lambda: x[[0, 1, 5]],
    lambda: x[torch.tensor([True])],
    lambda: x[torch.tensor([0.5])],
    lambda: x[[0, 1], [0, 1, 2]],
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
f = torch.zeros(3, 4, requires_grad=True)
y = f * 1
y[0] = 1.0
y[:, 1] = torch.tensor([1.0, 2.0, 3.0])
y[[1, 2], [2, 3]] = torch.tensor([7.0, 8.0])
y[y == 0] = -1
print(y, y.grad_fn.name())
y.sum().backward()
print(f.grad)
y = torch.zeros(4)
y[1:3] += 5
y[-1] = True
y[[0, 0]] += 1
print(y)
y[...] = torch.tensor(2)
print(y, y[:0].shape, y[4:].shape, y[-100:2])
z = torch.zeros(2, 2)
z[0, 0], z[1, 1] = 1, 2
z[:, 0] *= 3
print(z)
for bad in [
    lambda: z.__setitem__(0, torch.ones(3)),
    lambda: z.__setitem__(5, 1),
    lambda: z.__setitem__((0, 0), torch.ones(2)),
]:
    try:
        bad()
    except Exception as error:
        print(type(error).__name__)
print(len(x), [r.sum().item() for r in x], list(torch.tensor([1, 2])), 3 in torch.tensor([1, 2, 3]))
e = torch.ones(3)
z = torch.stack([e[i] for i in range(3)])
print(z)
