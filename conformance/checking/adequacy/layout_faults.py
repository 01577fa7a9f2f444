"""How a careless kernel misreads an array that does not lie in memory in rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

Array = Any


def transposed(array: Array) -> Array | None:
    """Read in the order of memory: as if the last dimension were the innermost."""
    if not _strided(array) or 0 in _strides(array):
        return None
    return _if_different(array, array.ravel(order="K").reshape(array.shape))


def stepped(array: Array) -> Array | None:
    """Read one element after the other from the first one, over what lies between them."""
    if not _strided(array) or 0 in _strides(array):
        return None
    return _if_different(array, in_rows(array).copy())


def expanded(array: Array) -> Array | None:
    """Read the elements that are there once, and zeros where memory would have to go on."""
    if not _strided(array) or 0 not in _strides(array):
        return None
    there = array[tuple(slice(0, 1) if not step else slice(None) for step in array.strides)]
    read = np.zeros(array.size, array.dtype)
    read[: there.size] = there.ravel(order="K")
    return _if_different(array, read.reshape(array.shape))


MISREADINGS: dict[str, Callable[[Array], Array | None]] = {
    "transposed": transposed,
    "stepped": stepped,
    "expanded": expanded,
}
"""Each gives what is read instead; None where that is the same."""


def in_rows(array: Array) -> Array:
    """The memory from the first element on, as if the array lay there in rows. It must not be
    expanded, so that there is enough of it."""
    return as_strided(array, array.shape, np.empty(array.shape, array.dtype).strides)


def is_spread(array: Any) -> bool:
    """Whether an array's elements are apart or in another order than rows, each at its own place."""
    return _strided(array) and 0 not in _strides(array)


def arrays_of(value: Any) -> Iterator[Array]:
    """Every floating array within the arguments of a kernel or a rule."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "fc":
            yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from arrays_of(item)
    elif isinstance(value, dict):
        yield from arrays_of(list(value.values()))


def replaced(value: Any, change: Callable[[Array], Array | None]) -> Any:
    """Arguments with each floating array changed, where `change` gives another."""
    if isinstance(value, np.ndarray):
        made = change(value) if value.dtype.kind in "fc" else None
        return value if made is None else made
    if type(value) in (list, tuple):
        return type(value)(replaced(item, change) for item in value)
    if isinstance(value, dict):
        return {key: replaced(item, change) for key, item in value.items()}
    return value


def _strided(array: Any) -> bool:
    return (
        isinstance(array, np.ndarray)
        and array.size > 1
        and not array.flags.c_contiguous
        and min(array.strides) >= 0
    )


def _strides(array: Array) -> list[int]:
    """The strides of the dimensions that are longer than one."""
    return [step for step, n in zip(array.strides, array.shape, strict=True) if n > 1]


def _if_different(array: Array, read: Array) -> Array | None:
    return None if np.array_equal(array, read, equal_nan=True) else read
