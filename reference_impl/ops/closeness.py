"""Comparing whole tensors: equal, close, in the same memory, holding an element."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend.base import as_array
from ..tensor.tensor import Tensor, wrap
from .compare import eq
from .dims import needs_tensor

__all__ = ["allclose", "contains", "equal", "isclose"]


def contains(self: Tensor, element: Any) -> bool:
    """Whether some element equals a number, or any of a tensor that broadcasts.

    Raises:
        RuntimeError: neither a number nor a tensor.
    """
    if not isinstance(element, (Tensor, int, float, complex, np.generic)):
        raise errors.wrong_type(
            "__contains__(): the element looked for must be a Tensor or a number; got "
            f"{type(element).__name__}",
            RuntimeError,
        )
    return bool(eq.apply(self, element).any())


def equal(input: Tensor, other: Tensor) -> bool:
    """Whether shapes and all elements are equal."""
    needs_tensor("equal", "other", other)
    return input._data.shape == other._data.shape and bool((input._data == other._data).all())


def check_comparable(what: str, x: Tensor, y: Any) -> None:
    """Refuse what cannot be compared for closeness.

    Raises:
        TypeError: not a tensor.
        RuntimeError: two dtypes, or shapes that do not broadcast.
    """
    needs_tensor(what, "other", y)
    if x._data.dtype is not y._data.dtype:
        raise errors.wrong_dtype(
            f"{what}(): {x.dtype} did not match {y.dtype}; convert one of them"
        )
    try:
        np.broadcast_shapes(x._data.shape, y._data.shape)
    except ValueError:
        raise errors.shapes_mismatch(what, x._data.shape, y._data.shape) from None


def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Whether all elements are close: |a - b| <= atol + rtol |b|.

    Raises:
        TypeError: not a tensor.
        RuntimeError: two dtypes, or shapes that do not broadcast.
    """
    check_comparable("allclose", input, other)
    return bool(np.allclose(input._data, other._data, rtol, atol, equal_nan))


def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Tensor:
    """Elementwise closeness.

    Raises:
        TypeError: not a tensor.
        RuntimeError: two dtypes, or shapes that do not broadcast.
    """
    check_comparable("isclose", input, other)
    return wrap(as_array(np.isclose(input._data, other._data, rtol, atol, equal_nan)))
