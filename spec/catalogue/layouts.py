"""Ways in which a tensor may lie in memory, as program text that makes it so.

Each layout takes values and gives the text of an expression, with the values that the tensor then
has; None if values of this shape cannot lie that way. Only `expanded` changes the values, since an
expanded dimension repeats one slice.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .samples import literal_of

Array = Any
GARBAGE = 77.0
"""What lies in memory between and around the elements; no sample has this value."""

LARGEST = 240
"""How many elements a buffer has at most, so that programs stay readable."""


COMPLEX = {"float32": "complex64", "float64": "complex128"}


class LaidOut(NamedTuple):
    """An expression of the program language, and the values of the tensor that it makes."""

    text: str
    values: Array


def plain(values: Array, dtype: str) -> LaidOut | None:
    """One element after the other, the last dimension first."""
    return LaidOut(_tensor(values, dtype), values)


def transposed(values: Array, dtype: str) -> LaidOut | None:
    """The first dimension lies next to each other in memory instead of the last."""
    if values.ndim < 2:
        return None
    order = tuple(reversed(range(values.ndim)))
    return LaidOut(f"{_tensor(values.transpose(order), dtype)}.permute{order}", values)


def channels_last(values: Array, dtype: str) -> LaidOut | None:
    """The second dimension of four lies next to each other, as image libraries have it."""
    if values.ndim != 4:
        return None
    there = values.transpose(0, 2, 3, 1)
    return LaidOut(f"{_tensor(there, dtype)}.permute(0, 3, 1, 2)", values)


def stepped(values: Array, dtype: str) -> LaidOut | None:
    """Every second element of the last dimension, from the second one."""
    if values.ndim < 1 or values.size == 0 or 2 * values.size > LARGEST:
        return None
    wide = _garbage((*values.shape[:-1], 2 * values.shape[-1] + 1), values)
    wide[..., 1::2] = values
    return LaidOut(f"{_tensor(wide, dtype)}[..., 1::2]", values)


def within_a_buffer(values: Array, dtype: str) -> LaidOut | None:
    """A part of a larger tensor, with an offset, and rows that are further apart than they are long."""
    if values.ndim < 1 or values.size == 0 or math.prod(n + 2 for n in values.shape) > LARGEST:
        return None
    wide = _garbage(tuple(n + 2 for n in values.shape), values)
    inside = tuple(slice(1, n + 1) for n in values.shape)
    wide[inside] = values
    index = ", ".join(f"1:{n + 1}" for n in values.shape)
    return LaidOut(f"{_tensor(wide, dtype)}[{index}]", values)


def conjugated(values: Array, dtype: str) -> LaidOut | None:
    """The conjugates of the elements, read through a view that conjugates them again."""
    if not np.iscomplexobj(values):
        return None
    return LaidOut(f"conj({_tensor(np.conj(values), dtype)})", values)


def negated(values: Array, dtype: str) -> LaidOut | None:
    """The elements with the other sign, read through a view that negates them again."""
    if np.asarray(values).dtype.kind != "f" or not np.isfinite(values).all():
        return None
    whole = np.zeros(np.shape(values), complex)
    whole.imag = -np.asarray(values)
    return LaidOut(f"imag(conj({_tensor(whole, COMPLEX.get(dtype, ''))}))", values)


def expanded(values: Array, dtype: str) -> LaidOut | None:
    """The first dimension that is longer than one repeats one slice, which is there once."""
    return _expanded_along(values, dtype, range(values.ndim))


def expanded_at_the_end(values: Array, dtype: str) -> LaidOut | None:
    """The last dimension that is longer than one repeats one slice, which is there once."""
    return _expanded_along(values, dtype, reversed(range(values.ndim)))


def filled(values: Array, dtype: str) -> LaidOut | None:
    """One element for all, as the backward pass of `sum` makes a gradient."""
    if values.size < 2:
        return None
    one = values.flat[0]
    text = f"broadcast_to({_tensor(one, dtype)}, {values.shape})"
    return LaidOut(text, np.full_like(values, one))


def _expanded_along(values: Array, dtype: str, dims: Any) -> LaidOut | None:
    dim = next((i for i in dims if values.shape[i] > 1), None)
    if dim is None or values.size == 0:
        return None
    one = values.take([0], axis=dim)
    text = f"broadcast_to({_tensor(one, dtype)}, {values.shape})"
    return LaidOut(text, np.broadcast_to(one, values.shape).copy())


def _garbage(shape: tuple[int, ...], values: Array) -> Array:
    """Memory to lay elements into. Between integers lie integers of the same range: most are indices, and an
    engine that misreads them must fail, not read or write beyond a tensor and take the process with it."""
    between: float = GARBAGE
    if values.dtype.kind == "b":
        between = True
    elif values.dtype.kind in "iu":
        least, most = int(values.min()), int(values.max())
        between = least if least != most else int(least <= 0)
    return np.full(shape, between, values.dtype)


def _tensor(values: Array, dtype: str) -> str:
    keyword = f", dtype={dtype}" if dtype else ""
    if np.size(values) == 0 and np.asarray(values).dtype.kind == "f":
        return f"zeros({np.shape(values)}{keyword})"
    return f"tensor({literal_of(values)}{keyword})"


LAYOUTS: dict[str, Callable[[Array, str], LaidOut | None]] = {
    "plain": plain,
    "transposed": transposed,
    "channels last": channels_last,
    "stepped": stepped,
    "within a buffer": within_a_buffer,
    "conjugated": conjugated,
    "negated": negated,
    "expanded": expanded,
    "expanded at the end": expanded_at_the_end,
    "filled": filled,
}
"""Every layout by the name that a law gives it."""
