"""Assignments that mix ints, slices, None, lists, masks and tensors, in many forms."""

import torch


def t(i, v, shape=(3, 4, 2)):
    x = torch.zeros(shape)
    try:
        x[i] = v
        n = x.nonzero()
        return x.sum().item(), len(n), n[:3].tolist()
    except Exception as e:
        return type(e).__name__


L = torch.tensor
s = slice
cases = [
    (0, 1),
    ((0, 1), 2),
    ((0, s(None), 1), 3),
    ((s(1, None), [0, 2]), 4),
    (([0, 2], s(None), [1, 0]), 5),
    (([0, 2], [1, 3]), L([[1.0, 2.0], [3.0, 4.0]])),
    (([0, 2], [1, 3]), L([1.0, 2.0])),
    ((..., 1), 6),
    ((..., [0, 1], 0), L([7.0, 8.0])),
    ((None, 0), 1),
    ((0, None, [1, 2]), L([[[1.0, 2.0], [3.0, 4.0]]])),
    (L([True, False, True]), 2),
    ((L([True, False, True]), 0), L([[1.0, 2.0], [3.0, 4.0]])),
    ((L([True, False, True]), s(1, 3)), 1),
    ((s(None), L([True, False, True, False])), 3),
    ((L([True, False, True]), [1, 2]), 9),
    ((L([True, False, True]), [1, 2, 3]), 9),
    (torch.ones(3, 4, dtype=torch.bool), L([1.0, 2.0])),
    (torch.ones(3, 4, 2, dtype=torch.bool), torch.arange(24.0)),
    (torch.ones(3, 4, 2, dtype=torch.bool), torch.arange(24.0).view(3, 4, 2)),
    ((L(1), L(2)), 5),
    ((L([[0], [2]]), L([[1, 3]])), L([[[1.0], [2.0]], [[3.0], [4.0]]])),
    (([[0, 1], [1, 2]],), 1),
    ([s(None), 0], 1),
    ([0, s(1)], 1),
    ((s(None, None, 2), s(None, None, 3), -1), 1),
    ((-1, -1, -1), 1),
    ((s(-2, None), -2), L([4.0, 5.0])),
    ((True, 0), 1),
    ((0, True), 2),
    ((False, 0), 3),
    ((L(True), 0), 4),
    ((), 1),
    (..., L([1.0, 2.0])),
    ((..., ...), 1),
    ((0, ..., 0), L([1.0, 2.0, 3.0, 4.0])),
    ((0, ..., 0), L([1.0, 2.0])),
    (range(2), 1),
    ((range(2), range(2)), 1),
    ((s(0, 0),), 1),
    (([], [0]), 1),
    ([], torch.zeros(0, 4, 2)),
    ((3,), 1),
    (([3],), 1),
    (([-4],), 1),
    ((0, 0, 0, 0), 1),
    ((0.0,), 1),
    (("a",), 1),
    (L([0.5]), 1),
    (([0, 1], s(0, 2)), torch.ones(2, 2, 2)),
    (([0, 1], s(0, 2)), torch.ones(3, 2, 2)),
    ((s(0, 2), [0, 1, 2]), torch.ones(2, 3, 1)),
    ((0, [0, 0, 0]), L([[1.0], [2.0], [3.0]])),
    (0, torch.ones(1, 1, 4, 2)),
    (0, torch.ones(2, 4, 2)),
    ((0, 0), torch.ones(2, 1)),
    ((0, 0, 0), torch.ones(1, 1)),
    ((0, 0, 0), L(2)),
    ((0, 0, 0), L(True)),
    ((0, 0, 0), L(2.5, dtype=torch.float64)),
    (([0], [0], [0]), L(2.5, dtype=torch.float64)),
    (L([True, False, False]), L(2)),
    (L([True, False, False]), L([2, 3])),
    (0, torch.float32),
    (0, torch.Size([4])),
    (L([0, 1], dtype=torch.int32), 1),
    (L([0, 1], dtype=torch.int8), 1),
]
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    for i, v in cases:
        print(i if not isinstance(i, range) else "range", t(i, v))
