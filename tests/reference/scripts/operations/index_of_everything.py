"""Reading and writing by mixes of ints, slices, None, ..., lists, tensors and masks; gradients."""

import torch

x = torch.arange(60.0).view(3, 4, 5).requires_grad_()
m = torch.tensor([True, False, True])
i = torch.tensor([[0, 1], [2, 0]])
keys = [
    0,
    -1,
    slice(1, None),
    (0, 1),
    (0, 1, 2),
    (slice(None), 1),
    (Ellipsis, 0),
    (0, Ellipsis),
    (None, 0),
    (0, None, 1),
    (slice(None, None, 2),),
    [0, 2],
    ([0, 2], [1, 3]),
    ([0, 2], slice(None), [1, 3]),
    (slice(None), [0, 1, 1]),
    i,
    (slice(None), i),
    (i, i),
    (0, i),
    (i, 0),
    m,
    (m, 0),
    (m, [0, 3]),
    (slice(None), slice(None), [0, -1]),
    (Ellipsis, i),
    (None, i),
    (i, None),
    x.detach() > 50,
    (slice(0, 2), [True, False, True, False]),
    (torch.tensor(1), slice(2)),
    (0, [[0], [1]], [[0, 1]]),
    True,
    (slice(3, 1),),
    ([], 0),
]
for k in keys:
    x.grad = None
    try:
        y = x[k]
        y.sum().backward()
        print(
            tuple(y.shape), y.grad_fn.name(), int(x.grad.sum()), x.grad.max().item(), y.sum().item()
        )
        z = x.detach().clone()
        z[k] = -1.0
        w = torch.zeros_like(z)
        w[k] += 1
        print("  ", int((z == -1).sum()), w.sum().item())
    except Exception as error:
        print(type(error).__name__)
