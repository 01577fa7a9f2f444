"""What the engine asks of an array library, whichever it is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..device import CPU, META, Device
from ..dtypes import BFLOAT16
from .bfloat16 import stored
from .meta import MetaArray

__all__ = ["as_array", "astype", "device_of", "share_memory"]

Array = Any


def as_array(value: Any) -> Array:
    """A kernel's result as an array: NumPy turns zero-dim results into scalars, which this
    undoes."""
    if isinstance(value, np.generic):
        return np.asarray(value)
    if hasattr(value, "__array_function__"):
        return value
    return np.asarray(value)


def astype(array: Array, dtype: Any) -> Array:
    """An array in another dtype; itself where it is of that one already."""
    if array.dtype is dtype:
        return array
    if dtype is BFLOAT16:
        return stored(array)
    return array.astype(dtype, copy=False)


def device_of(array: Array) -> Device:
    """The device an array lives on."""
    if isinstance(array, np.ndarray):
        return META if type(array) is MetaArray else CPU
    return Device("cuda", array.device.id)


def share_memory(a: Array, b: Array) -> bool:
    """Whether the memory spans of two arrays touch (decided by bounds, not element by element)."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return np.may_share_memory(a, b)
    return a.data.mem is b.data.mem  # pragma: no cover - CuPy


def strides_in_elements(array: Array) -> tuple[int, ...]:
    """Strides counted in elements, as users see them; those of rows where there are no elements."""
    if not array.size:
        counted = [max(n, 1) for n in array.shape]
        return tuple(math.prod(counted[d + 1 :]) for d in range(array.ndim))
    size = array.itemsize
    return tuple(s // size for s in array.strides)


def root(array: Array) -> Array:
    """The array that owns the memory."""
    while True:
        base = array.base
        if base is not None and not hasattr(base, "dtype"):
            base = getattr(base, "base", None)  # as_strided puts an object in between
        if base is None or not hasattr(base, "dtype"):
            return array
        array = base


def pointer(array: Array) -> int:
    """Address of the first element."""
    if isinstance(array, np.ndarray):
        return int(array.__array_interface__["data"][0])
    return int(array.data.ptr)  # pragma: no cover - CuPy


def offset_in_elements(array: Array) -> int:
    """Position of the first element in the memory that holds it."""
    return (pointer(array) - pointer(root(array))) // int(array.itemsize)


def is_dense(array: Array) -> bool:
    """Whether the elements fill a block of memory without gaps or overlap, in any order of
    dimensions."""
    if array.flags.c_contiguous or array.flags.f_contiguous:
        return True
    expected = array.itemsize
    for stride, size in sorted(
        (st, sz) for st, sz in zip(array.strides, array.shape, strict=True) if sz != 1
    ):
        if stride != expected:
            return False
        expected *= size
    return True


def overlaps_itself(array: Array) -> bool:
    """Whether two elements surely share one memory location (a stretched dimension)."""
    return any(st == 0 and sz > 1 for st, sz in zip(array.strides, array.shape, strict=True))
