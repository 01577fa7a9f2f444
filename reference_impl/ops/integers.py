"""Distinct elements, and places in sorted rows, in triangles and under masks."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend.base import beside, contiguous, host
from ..backend.dtypes import array_dtype, int64, named
from ..errors import unsupported_dtype
from ..tensor.tensor import Tensor, wrap
from .binary import no_derivative
from .choose import E
from .create import made
from .dims import wrap_dim
from .op import op
from .registry import expose, function, public

__all__ = ["bucketize", "searchsorted", "unique"]

signbit = op("signbit(x)", np.signbit, E)
expose(
    (signbit, "Whether the sign bit is set, as bool; true for -0.0 too."),
    inplace=False,
)


def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The different elements (or slices of a dimension), in order; where asked, also for each
    element the place of its value, and how often each value occurs."""
    if input._data.dtype.kind == "c":
        raise unsupported_dtype("unique", input.dtype)
    if dim is not None:
        dim = chosen_dim("unique", input, dim)
    values, inverse, counts = np.unique(
        input._data, return_inverse=True, return_counts=True, axis=dim, equal_nan=False
    )
    shape = input._data.shape if dim is None else (-1,)
    row = unique_row if dim is None else unique_dim_row
    found = row.apply(input, contiguous(values))
    return asked_for(found, inverse.reshape(shape), counts, return_inverse, return_counts)


def chosen_dim(what: str, x: Tensor, dim: int) -> int:
    """The dimension whose slices are told apart.

    Raises:
        IndexError: the tensor has no such dimension.
        RuntimeError: the slices have no elements.
    """
    if not x._data.ndim:
        raise errors.wrong_index(f"{what}(): a 0-dim tensor has no dimension {dim}")
    d = wrap_dim(dim, x._data.ndim)
    if 0 in (*x._data.shape[:d], *x._data.shape[d + 1 :]):
        raise errors.wrong_shape(
            f"{what}(): slices of 0 sized dimensions cannot be told apart; got shape "
            f"{list(x.shape)} and dim {dim}"
        )
    return d


def _without_derivative(node: str) -> Any:
    """A row for values found elsewhere, which depend on the input in a way that has no derivative."""
    return op(
        f"{node}(x, /, values)",
        lambda x, values: values,
        x=no_derivative(node, NotImplementedError),
    )


unique_row = _without_derivative("unique2")
unique_dim_row = _without_derivative("unique_dim")


def asked_for(
    values: Tensor, inverse: Any, counts: Any, with_inverse: bool, with_counts: bool
) -> Any:
    """The values alone, or with what was asked for."""
    results = [values]
    if with_inverse:
        results.append(wrap(inverse.copy()))
    if with_counts:
        results.append(wrap(counts))
    return results[0] if len(results) == 1 else tuple(results)


public("unique")(unique)


@function("searchsorted")
def searchsorted(
    sorted_sequence: Tensor,
    input: Any,
    *,
    right: bool = False,
    side: str | None = None,
    out_int32: bool = False,
    sorter: Tensor | None = None,
) -> Tensor:
    """Where values would have to stand in sorted rows.

    Raises:
        NotImplementedError: bools or complex numbers.
        RuntimeError: no rows, or rows that are not as many as the values'.
    """
    held = sorted_sequence._data  # searched on the CPU, wherever it lives
    rows, values = host(held), np.asarray(host(getattr(input, "_data", input)))
    if not rows.ndim or (rows.ndim > 1 and rows.shape[:-1] != values.shape[:-1]):
        raise errors.wrong_shape(
            "searchsorted(): the boundaries must be a vector, or rows as many as those of the input; "
            f"got shapes {list(rows.shape)} and {list(values.shape)}"
        )
    if rows.dtype.kind in "bc" or values.dtype.kind == "c":
        raise unsupported_dtype("searchsorted", sorted_sequence.dtype)
    if sorter is not None:
        rows = np.take_along_axis(rows, host(sorter._data), -1)
    at: Any = "right" if right or side == "right" else "left"
    if rows.ndim == 1 or not values.size:
        rows = rows.reshape(-1)
        found = np.searchsorted(rows, values, at)
    else:
        lines = zip(
            rows.reshape(-1, rows.shape[-1]), values.reshape(-1, values.shape[-1]), strict=True
        )
        found = np.stack([np.searchsorted(r, v, at) for r, v in lines]).reshape(values.shape)
    return wrap(beside(np.asarray(found).astype(np.int32 if out_int32 else np.int64), held))


@function("bucketize")
def bucketize(
    input: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False
) -> Tensor:
    """The interval between boundaries in which each value lies.

    Raises:
        RuntimeError: the boundaries are no vector.
    """
    if boundaries._data.ndim != 1:
        raise errors.wrong_shape(
            f"bucketize(): boundaries must be a vector; got shape {list(boundaries.shape)}"
        )
    return searchsorted(boundaries, input, right=right, out_int32=out_int32)


@public("argwhere")
def argwhere(input: Tensor) -> Tensor:
    """The places of elements that are not zero, as rows."""
    return wrap(np.argwhere(input._data).astype(np.int64))


def _triangle(name: str, places: Any) -> None:
    def fn(
        row: int, col: int, offset: int = 0, *, dtype: Any = int64, device: Any = None
    ) -> Tensor:
        return made(np.stack(places(row, offset, col)), False, array_dtype(dtype), device)

    fn.__doc__ = f"The places of a triangle of a matrix, rows and columns: {name}."
    function(name)(fn)


_triangle("tril_indices", np.tril_indices)
_triangle("triu_indices", np.triu_indices)


@function("can_cast")
def can_cast(from_: Any, to: Any) -> bool:
    """Whether a result of one dtype can be stored in another."""
    return bool(named(from_).category <= named(to).category)
