"""Integer lists and tensors as indices."""

import torch

x = torch.arange(24).reshape(2, 3, 4)
print(x[[0, 1]].shape, x[[0]].shape, x[[1, 0, 1]][:, 0, 0])
print(x[0, [0, 2]], x[:, [0, 2], 1], x[:, :, [3, 0]].shape)
print(x[[0, 1], [1, 2]], x[[0, 1], :, [1, 2]], x[[0, 1], [1, 2], [2, 3]])
print(x[[[0, 1], [1, 0]]].shape, x[torch.tensor([[0, 1], [1, 0]])].shape)
print(x[..., [0, -1]], x[[-1]], x[-1, -1, [-1, -2]])
print(x[torch.tensor(1)], x[torch.tensor([1])].shape, x[torch.tensor(1), torch.tensor(2)])
print(x[0][[True, False, True]], x[(0, 1)], x[0, None, [1, 2]], x[None, [0], :, 1].shape)
print(
    x[[0, 1], None, [0, 2]].shape,
    x[:, [0], [1]].shape,
    x[[0], :, [1]].shape,
    x[0, :, [1]].shape,
    x[0, [0], :].shape,
)
for i in ([2], [-3], 2, -3):
    try:
        x[i]
    except Exception as e:
        print(i, type(e).__name__)
for i in (
    1.0,
    [0.5],
    "a",
    (0, 0, 0, 0),
    ...,
    (..., ...),
    [],
    slice(None, None, -1),
    torch.tensor([0.0]),
):
    try:
        print(i, x[i].shape)
    except Exception as e:
        print(i, type(e).__name__)
print(x[torch.tensor([], dtype=torch.long)].shape, x[:, torch.tensor([], dtype=torch.long)].shape)
print(
    x[torch.tensor([0, 1], dtype=torch.int32)].shape,
    x[torch.tensor([0, 1, 1], dtype=torch.uint8).bool()[:2]].shape,
)
print(x[range(2)].shape, x[:, range(0, 3, 2)].shape)
