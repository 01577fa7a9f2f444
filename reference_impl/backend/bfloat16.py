"""bfloat16 on array libraries that have no such type.

Values live in float32 arrays, of whichever library, inside an object of a class of their own. Every
operation is computed in float32, and what it gives is rounded to the eight significant bits that a
bfloat16 holds, half to even.

The dtype of ``ml_dtypes`` would not replace this. NumPy sums and averages in it without a wider
accumulator (4096 ones add up to 256, their mean is 0.0625), promotes ``x * 2.0`` and matrix products
to float32, reports its kind as ``"V"``, and has no ``einsum``, ``ldexp`` or ``finfo`` for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from .dtypes import BFLOAT16

__all__ = ["BFloat16Array", "next_after", "rounded", "stored"]

FLOAT32 = np.dtype("float32")
VIEWS = {"reshape", "transpose", "swapaxes", "squeeze", "view", "expand_dims", "broadcast_to",
         "diagonal", "moveaxis", "T", "real"}  # fmt: skip
"""Functions, methods and attributes that give the same memory, which holds rounded values."""


def rounded(array: Any) -> Any:
    """A new float32 array with the nearest values that a bfloat16 can hold."""
    array = bare(array) if hasattr(array, "dtype") else np.asarray(array)
    if array.dtype.kind == "c":
        array = array.real
    with np.errstate(all="ignore"):
        array = array.astype(FLOAT32, order="C")
    bits = array.view(np.uint32)
    odd = (bits >> np.uint32(16)) & np.uint32(1)
    near = (bits + np.uint32(0x7FFF) + odd) & np.uint32(0xFFFF0000)
    return np.where(np.isnan(array), array, near.view(FLOAT32))


def stored(array: Any) -> BFloat16Array:
    """An array as bfloat16."""
    return BFloat16Array(rounded(array))


def next_after(x: Any, y: Any) -> Any:
    """The next number of the dtype from ``x`` in the direction of ``y``."""
    if x.dtype is not BFLOAT16:
        return np.nextafter(x, y)
    start, goal = np.broadcast_arrays(bare(x), bare(y))
    bits = start.copy().view(np.uint32)
    unit = np.uint32(1 << 16)  # the last of the eight bits
    away = (goal > start) == (start > 0)
    next_ = np.where(away, bits + unit, bits - unit).view(FLOAT32)
    least = np.copysign(unit.view(FLOAT32), goal)
    result = np.where(start == 0, least, next_)
    return BFloat16Array(
        np.where(
            np.isnan(start) | np.isnan(goal),
            np.float32(np.nan),
            np.where(start == goal, goal, result),
        )
    )


def bare(value: Any) -> Any:
    """What the library computes with: bfloat16 arrays as float32, all else as it is."""
    if type(value) is BFloat16Array:
        return value.values
    if value is BFLOAT16:
        return FLOAT32
    if isinstance(value, (list, tuple)):
        return type(value)(bare(v) for v in value)
    return value


def alone(values: Any) -> bool:
    """Whether no operand with dimensions is of a wider floating type, so that results round."""
    return not any(
        type(v) is not BFloat16Array and getattr(v, "ndim", 0) and v.dtype.kind in "fc"
        for v in flattened(values)
    )


def flattened(values: Any) -> Any:
    """All entries of nested sequences."""
    for v in values:
        if isinstance(v, (list, tuple)):
            yield from flattened(v)
        else:
            yield v


def dressed(result: Any, round_it: bool) -> Any:
    """A float32 result as bfloat16."""
    if isinstance(result, tuple):
        return tuple(dressed(r, round_it) for r in result)
    if round_it and getattr(result, "dtype", None) == FLOAT32:
        return stored(result)
    return result


class BFloat16Array(NDArrayOperatorsMixin):
    """A float32 array whose values are those of a bfloat16."""

    __slots__ = ("__weakref__", "values")
    __hash__ = None  # type: ignore[assignment]

    dtype = BFLOAT16

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values) if isinstance(values, np.generic) else values

    def __getattr__(self, name: str) -> Any:
        if name == "values":  # not there yet, while it is unpickled
            raise AttributeError(name)
        found = getattr(self.values, name)
        if name in ("T", "real"):
            return BFloat16Array(found)
        if not callable(found):
            return found

        def method(*args: Any, **kwargs: Any) -> Any:
            result = found(*bare(args), **{k: bare(v) for k, v in kwargs.items()})
            if name in VIEWS and result.dtype == FLOAT32:
                return BFloat16Array(result)
            return dressed(result, True)

        return method

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        out = kwargs.pop("out", None)
        result = getattr(ufunc, method)(*bare(inputs), **kwargs)
        if out is not None:
            out[0][...] = result
            return out[0]
        return dressed(result, alone(inputs))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        result = func(*bare(args), **{k: bare(v) for k, v in kwargs.items()})
        if func.__name__ in VIEWS:
            return BFloat16Array(result)
        return dressed(result, alone(args))

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self.values, dtype)

    def __getitem__(self, index: Any) -> BFloat16Array:
        return BFloat16Array(self.values[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        self.values[index] = rounded(value) if hasattr(value, "dtype") else float(rounded(value))

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return repr(self.values)

    def __reduce__(self) -> Any:
        return BFloat16Array, (self.values,)

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Any:
        """A copy in another dtype."""
        return BFloat16Array(self.values.copy()) if dtype is BFLOAT16 else self.values.astype(dtype)
