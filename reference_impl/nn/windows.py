"""Windows that slide over the last dimensions of arrays: as a view, and added back."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend.base import as_strided, zeros

__all__ = ["fold_windows", "numbers", "out_size", "padded", "unfold_windows", "windows"]


def numbers(value: Any, count: int, what: str) -> tuple[int, ...]:
    """One number for each dimension.

    Raises:
        RuntimeError: another number of them.
    """
    if isinstance(value, (tuple, list)):
        if len(value) == count:
            return tuple(int(v) for v in value)
        if len(value) != 1:
            raise errors.wrong_shape(
                f"expected {what} of one number or a list of size {count}; got {list(value)}"
            )
        value = value[0]
    return (int(value),) * count


def out_size(n: int, kernel: int, stride: int, padding: int, dilation: int) -> int:
    """How many windows fit.

    Raises:
        RuntimeError: windows of no size, or that do not move.
    """
    if kernel < 1 or stride < 1:
        raise errors.wrong_shape(
            f"kernel size and stride must be greater than zero; got {kernel} and {stride}"
        )
    return (n + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def padded(x: Any, padding: Any, more: Any = (), value: float = 0.0) -> Any:
    """With a constant around the last dimensions, as many as there are paddings, and more of it at
    their ends."""
    if not any((*padding, *more)):
        return x
    ends = more or (0,) * len(padding)
    around = [(0, 0)] * (x.ndim - len(padding))
    around += [(p, p + m) for p, m in zip(padding, ends, strict=True)]
    return np.pad(x, around, constant_values=value)


def windows(x: Any, kernel: Any, stride: Any, dilation: Any) -> Any:
    """All windows of a padded array, as a view: the leading dimensions, the elements of a window,
    the windows.

    Raises:
        RuntimeError: a window is larger than the array.
    """
    lead = x.ndim - len(kernel)
    sizes = zip(x.shape[lead:], kernel, stride, dilation, strict=True)
    places = tuple(out_size(n, k, s, 0, d) for n, k, s, d in sizes)
    if min(places) < 1:
        raise errors.wrong_shape(
            "the kernel does not fit into the padded input; got kernel size "
            f"{list(kernel)} and padded size {list(x.shape[lead:])}"
        )
    steps = x.strides[lead:]
    apart = tuple(step * d for step, d in zip(steps, dilation, strict=True))
    moved = tuple(step * s for step, s in zip(steps, stride, strict=True))
    return as_strided(x, (*x.shape[:lead], *kernel, *places), (*x.strides[:lead], *apart, *moved))


def unfold_windows(x: Any, kernel: Any, stride: Any, padding: Any, dilation: Any) -> Any:
    """All windows of an array, copied, as `windows` gives them."""
    return windows(padded(x, padding), kernel, stride, dilation).copy()


def fold_windows(
    cols: Any, size: Any, stride: Any, padding: Any, dilation: Any, more: Any = ()
) -> Any:
    """Windows added back into an array of this size: the transpose of ``unfold_windows``."""
    dims = len(stride)
    lead = len(size) - dims
    kernel, places = cols.shape[lead : lead + dims], cols.shape[lead + dims :]
    ends = more or (0,) * dims
    grown = [n + 2 * p + m for n, p, m in zip(size[lead:], padding, ends, strict=True)]
    full = zeros((*size[:lead], *grown), cols.dtype, cols)
    for index in np.ndindex(*kernel):
        at = tuple(
            slice(i * d, i * d + n * s, s)
            for i, d, n, s in zip(index, dilation, places, stride, strict=True)
        )
        full[(..., *at)] += cols[(slice(None),) * lead + index]
    inner = tuple(slice(p, p + n) for p, n in zip(padding, size[lead:], strict=True))
    return full[(..., *inner)]
