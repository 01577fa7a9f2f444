"""Types that are no index, in reading and writing."""

import torch

x = torch.arange(6.0).view(2, 3)


def read(i):
    try:
        r = x[i]
        return tuple(r.shape)
    except Exception as e:
        return type(e).__name__


for i in (
    0,
    -1,
    True,
    False,
    None,
    ...,
    1.5,
    "0",
    1 + 0j,
    {},
    {0},
    [0],
    (0,),
    [],
    (),
    [[]],
    [None],
    [...],
    [slice(1)],
    (slice(1), [0]),
    range(1),
    iter([0]),
    torch.tensor(0),
    torch.tensor(0.0),
    torch.tensor([0.0]),
    torch.tensor(True),
    torch.tensor([True, False]),
    torch.tensor([1], dtype=torch.int8),
    torch.tensor([1], dtype=torch.int16),
    torch.tensor([1], dtype=torch.int32),
    torch.tensor([1, 0], dtype=torch.uint8),
    torch.tensor([]),
    torch.tensor([], dtype=torch.long),
    torch.tensor(1j),
    slice(0),
    slice(None, None, 2),
    slice(1, 0),
    (0, 1, 2),
    (..., 0, ...),
    (None, None),
    ([0, 1], [0, 1, 2]),
    ([0, 1], torch.tensor(1)),
    ([0], [5]),
    [-3],
    [2],
    (0, [True, False, True]),
    (0, [True, False]),
    ([True, False], [True, False, True]),
    torch.zeros(2, 3, dtype=torch.bool),
    torch.zeros(3, 2, dtype=torch.bool),
    torch.zeros(2, 3, 1, dtype=torch.bool),
    (torch.zeros(2, 3, dtype=torch.bool), 0),
    object(),
    x,
    print,
):
    print(
        repr(i)
        if not callable(i) and type(i) is not object and not hasattr(i, "__next__")
        else type(i).__name__,
        read(i),
    )


def write(i, v):
    y = x.clone()
    try:
        y[i] = v
        return y.tolist(), y._version
    except Exception as e:
        return type(e).__name__, y._version


for i, v in (
    (0, 1),
    (0, [1, 2, 3]),
    (0, torch.ones(3)),
    (0, torch.ones(2)),
    (0, torch.ones(1)),
    (0, torch.ones(1, 1, 3)),
    ([0, 1], 5),
    ([0, 1], torch.ones(3)),
    ([0, 1], torch.ones(2)),
    ([0, 1], torch.ones(2, 1)),
    ((0, 0), torch.tensor([7.0])),
    ((0, 0), torch.ones(2)),
    (x > 2, 0),
    (x > 2, torch.arange(3.0)),
    (x > 2, torch.arange(2.0)),
    (x > 100, 5),
    (x > 100, torch.zeros(0)),
    (..., 3),
    (None, 4),
    ((), 5),
    (slice(None), torch.arange(3)),
    ((slice(None), 0), torch.arange(2)),
    ((slice(None), [0, 2]), torch.arange(2.0)),
    (5, 1),
    ((0, 5), 1),
    ("a", 1),
    (0, "a"),
    (0, None),
    (True, 1),
    (False, 1),
    (torch.tensor(1), 9),
    (torch.tensor([True, False]), 8),
    (slice(5, 9), 1),
    (slice(5, 9), torch.ones(3)),
):
    print(i if not isinstance(i, torch.Tensor) else i.tolist(), write(i, v))
