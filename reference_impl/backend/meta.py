"""The device "meta": tensors that have a shape and a dtype, and no values.

Their arrays take no memory whatever their shape. Operations on them give arrays of the shape and
dtype that they would have elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors

__all__ = ["MetaArray", "on_meta"]

BY_VALUE = (np.nonzero, np.flatnonzero, np.argwhere, np.unique, np.allclose, np.array_equal)
"""Functions whose result, or its shape, depends on values."""


def on_meta(array: Any) -> MetaArray:
    """The shape and dtype of an array, without its values."""
    empty = np.zeros((), array.dtype)
    return np.lib.stride_tricks.as_strided(empty, array.shape, (0,) * array.ndim).view(MetaArray)


def bare(value: Any) -> Any:
    """Arrays that NumPy can work out a shape from."""
    if type(value) is MetaArray:
        return np.ndarray.view(value, np.ndarray)
    if isinstance(value, (list, tuple)):
        return type(value)(bare(v) for v in value)
    if type(value) is np.ndarray and value.ndim:
        raise errors.several_devices("an operation", "meta", "cpu")
    return value


def regular(value: Any) -> Any:
    """Zeros as unit matrices, which can be inverted and factorized."""
    if isinstance(value, np.ndarray) and value.ndim > 1:
        return value + np.eye(*value.shape[-2:], dtype=value.dtype)
    return value


def dressed(result: Any) -> Any:
    """A result without its values; what is no array, such as whether memory is shared, as it is."""
    if isinstance(result, tuple):
        return tuple(dressed(r) for r in result)
    return on_meta(np.asarray(result)) if isinstance(result, (np.ndarray, np.generic)) else result


def no_values(what: str, exception: type[Exception] | None = None) -> Exception:
    """Values were asked for."""
    return errors.no_values(
        f"{what}: a meta tensor has a shape and a dtype, but no values. Make the tensor on the CPU "
        "instead.",
        exception,
    )


class MetaArray(np.ndarray):
    """An array of zeros that all share one place in memory."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        out = kwargs.pop("out", None)
        result = getattr(ufunc, method)(*bare(inputs), **kwargs)
        return dressed(result) if out is None else out[0]

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func in BY_VALUE:
            raise no_values(f"{func.__name__}()")
        plain = bare(args)
        if func.__module__ == np.linalg.__name__:
            plain = tuple(regular(a) for a in plain)
        return dressed(func(*plain, **{k: bare(v) for k, v in kwargs.items()}))

    def __setitem__(self, index: Any, value: Any) -> None:
        """Nothing is held, so nothing is written."""

    def __getitem__(self, index: Any) -> Any:
        """A part of it; how many elements a mask selects depends on its values."""
        items = index if isinstance(index, tuple) else (index,)
        if any(type(i) is MetaArray and i.dtype.kind == "b" for i in items):
            raise no_values("indexing with a mask")
        found = super().__getitem__(tuple(bare(i) for i in items))
        return found if isinstance(found, np.ndarray) else dressed(found)

    def __bool__(self) -> bool:
        """Refused: there are no values."""
        raise no_values("bool()", RuntimeError)

    def copy(self, order: Any = "C") -> Any:
        """Another array of that shape."""
        return on_meta(self)

    def tolist(self) -> Any:
        """Refused: there are no values."""
        raise no_values("tolist()")

    def item(self, *args: Any) -> Any:
        """Refused: there are no values."""
        raise no_values("item()", RuntimeError)
