"""bfloat16 on an array library that has no such type.

Values live in float32 arrays of a class of their own. Every operation is computed in float32, and
what it gives is rounded to the eight significant bits that a bfloat16 holds, half to even.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import BFLOAT16

__all__ = ["BFloat16Array", "rounded", "stored"]

FLOAT32 = np.dtype("float32")


def rounded(array: Any) -> Any:
    """A new float32 array with the nearest values that a bfloat16 can hold."""
    array = np.array(array, dtype=FLOAT32, order="C")
    bits = array.view(np.uint32)
    odd = (bits >> np.uint32(16)) & np.uint32(1)
    near = (bits + np.uint32(0x7FFF) + odd) & np.uint32(0xFFFF0000)
    return np.where(np.isnan(array), array, near.view(FLOAT32))


def stored(array: Any) -> BFloat16Array:
    """An array as bfloat16."""
    return rounded(array).view(BFloat16Array)  # type: ignore[no-any-return]


def bare(value: Any) -> Any:
    """What NumPy computes with: bfloat16 arrays as float32, all else as it is."""
    if type(value) is BFloat16Array:
        return np.ndarray.view(value, np.ndarray)
    if isinstance(value, (list, tuple)):
        return type(value)(bare(v) for v in value)
    return value


def alone(values: Any) -> bool:
    """Whether no operand with dimensions is of a wider floating type, so that results round."""
    return not any(
        type(v) is np.ndarray and v.ndim and v.dtype.kind in "fc" for v in flattened(values)
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


class BFloat16Array(np.ndarray):
    """A float32 array whose values are those of a bfloat16."""

    dtype = BFLOAT16

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        out = kwargs.pop("out", None)
        result = getattr(ufunc, method)(*bare(inputs), **kwargs)
        if method == "at":
            inputs[0][...] = bare(inputs[0])
            return None
        if out is not None:
            out[0][...] = result
            return out[0]
        return dressed(result, alone(inputs))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        plain = {k: bare(v) for k, v in kwargs.items()}
        return dressed(func(*bare(args), **plain), alone(args))

    def __setitem__(self, index: Any, value: Any) -> None:
        bare(self)[index] = rounded(value)

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Any:
        """A copy in another dtype."""
        return self.copy() if dtype is BFLOAT16 else bare(self).astype(dtype)
