"""The device "meta": tensors that have a shape and a dtype, and no values.

Their arrays take no memory whatever their shape. Operations on them give arrays of the shape and
dtype that they would have elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors

__all__ = ["MetaArray", "on_meta"]


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


def dressed(result: Any) -> Any:
    """A result without its values."""
    if isinstance(result, tuple):
        return tuple(dressed(r) for r in result)
    return on_meta(np.asarray(result))


def no_values(what: str) -> Exception:
    """Values were asked for."""
    return errors.wrong_value(
        f"{what}(): a meta tensor has a shape and a dtype, but no values. Make the "
        "tensor on the CPU instead.",
        NotImplementedError,
    )


class MetaArray(np.ndarray):
    """An array of zeros that all share one place in memory."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        out = kwargs.pop("out", None)
        result = getattr(ufunc, method)(*bare(inputs), **kwargs)
        return dressed(result) if out is None else out[0]

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return dressed(func(*bare(args), **{k: bare(v) for k, v in kwargs.items()}))

    def __setitem__(self, index: Any, value: Any) -> None:
        """Nothing is held, so nothing is written."""

    def copy(self, order: Any = "C") -> Any:
        """Another array of that shape."""
        return on_meta(self)

    def tolist(self) -> Any:
        """Refused: there are no values."""
        raise no_values("tolist")

    def item(self, *args: Any) -> Any:
        """Refused: there are no values."""
        raise errors.wrong_value(str(no_values("item")), RuntimeError)
