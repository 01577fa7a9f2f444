"""Dimensions and sizes as callers give them."""

from __future__ import annotations

import operator
from typing import Any

from .. import errors
from ..tensor.tensor import Tensor


def wrap_dim(dim: int, ndim: int) -> int:
    """A dimension counted from the front.

    Raises:
        IndexError: the tensor has no such dimension.
        TypeError: no whole number.
    """
    try:
        dim = operator.index(dim)
    except TypeError:
        raise errors.not_whole("", "dim", dim) from None
    bound = ndim or 1
    if not -bound <= dim < bound:
        raise errors.dim_out_of_range(dim, ndim)
    return dim % bound


def own_dim(dim: int, ndim: int) -> int:
    """As ``wrap_dim``, for an operation that a 0-dim tensor has no dimension for.

    Raises:
        IndexError: the tensor has no such dimension.
    """
    if not ndim:
        raise errors.no_dimensions(dim)
    return wrap_dim(dim, ndim)


def whole(what: str, name: str, value: Any) -> int:
    """An argument that must be a whole number.

    Raises:
        TypeError: it is not.
    """
    try:
        return operator.index(value)
    except TypeError:
        raise errors.not_whole(f"{what}(): ", name, value) from None


def needs_tensor(what: str, name: str, value: Any) -> None:
    """Refuse an argument that is no tensor.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, Tensor):
        raise errors.not_a_tensor(what, name, value)


def sizes(args: tuple[Any, ...], named: Any = None) -> tuple[int, ...]:
    """Sizes given one by one, as one sequence, or by name.

    Raises:
        TypeError: one is no whole number.
    """
    if named is not None:
        args = (*args, named)
    if len(args) == 1 and isinstance(args[0], (list, tuple)):
        args = tuple(args[0])
    try:
        return tuple([operator.index(a) for a in args])
    except TypeError:
        found = ", ".join(type(a).__name__ for a in args)
        raise errors.wrong_type(f"argument 'size' must be tuple of ints, not ({found})") from None
