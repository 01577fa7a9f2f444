"""Choosing elementwise between two operands, which many derivatives do."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend.base import full, in_order, is_dense, memory_order
from ..graph.row import ELEMENTWISE
from ..tensor.tensor import Tensor, wrap
from .dims import needs_tensor
from .op import op
from .registry import FUNCTIONS, function, method

E = ELEMENTWISE


def data_of(x: Any) -> Any:
    """The array of an array or a tensor."""
    return x._data if isinstance(x, Tensor) else x


def chosen(x: Any, y: Any, c: Any) -> Any:
    """Elements of one of two arrays, in memory as those of the first one that has the shape."""
    out = np.where(c, x, y)
    like = next((a for a in (x, y) if getattr(a, "shape", None) == out.shape), out)
    if like.flags.c_contiguous or not is_dense(like):
        return out
    return in_order(out.transpose(memory_order(like)).copy(), out.shape, memory_order(like))


where_row = op(
    "where(x, y, /, condition)",
    chosen,
    E,
    x=lambda g, condition: where(condition, g, 0),
    y=lambda g, condition: where(condition, 0, g),
)


def where(condition: Any, x: Any, y: Any) -> Any:
    """Elements of ``x`` where the condition holds, else of ``y``; arrays, tensors or numbers."""
    if isinstance(x, Tensor) or isinstance(y, Tensor) or isinstance(condition, Tensor):
        c = condition._data if isinstance(condition, Tensor) else condition
        if isinstance(x, (int, float)) and isinstance(y, Tensor):
            x = wrap(full((), x, y._data.dtype, y._data))
        elif isinstance(y, (int, float)) and isinstance(x, Tensor):
            y = wrap(full((), y, x._data.dtype, x._data))
        return where_row.apply(x, y, c)
    out = np.where(condition, x, y)
    like = x if hasattr(x, "dtype") else y
    return out if not hasattr(like, "dtype") or out.dtype == like.dtype else out.astype(like.dtype)


@function("where")
def where_public(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """Elements of input where the condition holds, else of other; alone, the indices where it
    holds. The condition is copied so that later writes do not reach the graph."""
    at = checked_condition(condition)
    if input is None and other is None:
        return tuple(wrap(i) for i in np.nonzero(at if at.ndim else at.reshape(1)))
    if input is None or other is None:
        raise errors.wrong_type("where() takes a condition alone, or with both input and other")
    if at.dtype.kind != "b":
        raise errors.wrong_dtype(
            f"where expected condition to be a boolean tensor, but got one of {condition.dtype}"
        )
    if not isinstance(input, Tensor) and not isinstance(other, Tensor):  # on the condition's device
        other = FUNCTIONS["tensor"](other, device=condition.device)
    return where_row.apply(input, other, at)


def checked_condition(condition: Any) -> Any:
    """A condition's array, copied.

    Raises:
        TypeError: no tensor.
    """
    needs_tensor("where", "condition", condition)
    return condition._data.copy()


@method("where")
def where_method(self: Tensor, condition: Tensor, other: Any) -> Any:
    """Elements of self where the condition holds, else of other."""
    return where_public(condition, self, other)
