"""Largest, smallest, median and sorted: values together with where they were found."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend.base import (
    accumulated,
    arange,
    as_array,
    contiguous,
    first_extreme,
    full,
    in_order,
    is_dense,
    memory_order,
    zeros,
)
from ..graph.row import KEEPS_LAYOUT
from ..tensor.tensor import Tensor, wrap
from .choose import data_of
from .compare import isnan
from .core import cast_to, expand, no_complex
from .dims import whole, wrap_dim
from .fused import fused
from .gather import scatter_along
from .op import op, variant
from .reduce import back, dims_of, keep, sum_dims
from .registry import FUNCTIONS, public
from .return_types import NamedResult, named_result

MANY, SHORT = 256, 16
"""So many rows are many, and rows of fewer elements than these are short."""


def tie_share(g: Any, x: Any, out: Any, dims: Any, keepdim: bool, nan_counts: bool = True) -> Any:
    """The gradient of an extremum, shared evenly among the elements that attain it. Where that is
    NaN, they are those that are NaN, or (not ``nan_counts``) none, and all gradients are NaN."""
    shape = tuple(x.shape)
    whole = back(out, shape, dims, keepdim)
    hit = (x == whole) | (isnan(x) & isnan(whole)) if nan_counts else x == whole
    dtype = data_of(g).dtype
    # narrow ones cannot count far
    mask = cast_to(hit, np.float32 if dtype.itemsize == 2 else dtype)
    share = mask / expand(sum_dims(mask, dims, True), shape)
    return back(g, shape, dims, keepdim) * cast_to(share, dtype)


def elements(what: str, x: Tensor) -> None:
    """Refuse the extremum of no elements at all."""
    if not x._data.size:
        raise errors.wrong_shape(
            f"{what}(): an empty tensor has no extremum over all dimensions; got shape "
            f"{list(x.shape)}. Pass a dim that is not empty."
        )


def nonempty(what: str, x: Any, dims: Any) -> None:
    """Refuse an extremum over nothing."""
    if any(x.shape[d] == 0 for d in dims) or (not dims and x.size == 0):
        raise errors.wrong_shape(
            f"{what}(): Expected reduction dim to have non-zero size, found shape {list(x.shape)}; "
            "nothing is no largest or smallest element",
            IndexError,
        )
    if x.dtype.kind == "c":
        raise errors.unsupported_dtype(what, x.dtype)


def _extremum(name: str) -> Any:
    reduce = getattr(np, name)

    def kernel(x: Any, dims: Any, keepdim: bool) -> Any:
        nonempty(name, x, dims)
        if dims == (0,) and x.ndim > 1 and len(x) >= MANY and x.size < SHORT * len(x):
            # NumPy goes through such rows one by one; laid out as columns they take a tenth of the time
            found = reduce(x.T.copy(), axis=-1).T.copy()
            return found.reshape(1, *found.shape) if keepdim else found
        return reduce(x, axis=dims, keepdims=keepdim)

    return kernel


amax = op(
    "amax(x, /, dims, keepdim)",
    _extremum("amax"),
    x=lambda g, x, out, dims, keepdim: tie_share(g, x, out, dims, keepdim, False),
)
amin = op(
    "amin(x, /, dims, keepdim)",
    _extremum("amin"),
    x=lambda g, x, out, dims, keepdim: tie_share(g, x, out, dims, keepdim, False),
)
max_all = op(
    "max(x, /, dims, keepdim)",
    _extremum("amax"),
    node="MaxBackward1",
    x=lambda g, x, out, dims, keepdim: tie_share(g, x, out, dims, keepdim),
)
min_all = op(
    "min(x, /, dims, keepdim)",
    _extremum("amin"),
    node="MinBackward1",
    x=lambda g, x, out, dims, keepdim: tie_share(g, x, out, dims, keepdim),
)


def index_rule(g: Any, x_shape: Any, out1: Any, dim: Any, keepdim: bool) -> Any:
    """The gradient goes to the element that the index names."""
    if not x_shape:
        return g
    if not keepdim:
        g, out1 = keep(g, x_shape, (dim,)), keep(out1, x_shape, (dim,))
    return scatter_along(g, x_shape, dim, data_of(out1))


def _pick(name: str, chooser: Any) -> Any:
    def kernel(x: Any, dim: int, keepdim: bool) -> Any:
        if not x.ndim:
            return x.copy(), zeros((), np.int64, x)
        nonempty(name, x, (dim,))
        i = np.expand_dims(chooser(x, dim), dim)
        values = np.take_along_axis(x, i, dim)
        return (values, i) if keepdim else (values.squeeze(dim), i.squeeze(dim))

    return kernel


def _median_index(x: Any, dim: int) -> Any:
    order = np.argsort(x, dim, kind="stable")
    spoilt = np.isnan(x)
    middle = np.take(order, (x.shape[dim] - 1) // 2, dim)
    return np.where(spoilt.any(dim), spoilt.argmax(dim), middle)


max_dim = op(
    "max(x, /, dim, keepdim)",
    _pick("max", lambda x, d: first_extreme("argmax", x, d)),
    n_out=2,
    node="MaxBackward0",
    x=index_rule,
)
min_dim = op(
    "min(x, /, dim, keepdim)",
    _pick("min", lambda x, d: first_extreme("argmin", x, d)),
    n_out=2,
    node="MinBackward0",
    x=index_rule,
)
median_dim = op(
    "median(x, /, dim, keepdim)",
    _pick("median", _median_index),
    n_out=2,
    node="MedianBackward1",
    refuses="bc",
    x=index_rule,
)


def _sorted(x: Any, dim: int, descending: bool) -> Any:
    if not x.ndim:
        return x.copy(), zeros((), np.int64, x)
    if descending:
        rev = np.flip(x, dim)
        order = x.shape[dim] - 1 - np.flip(np.argsort(rev, dim, kind="stable"), dim)
    else:
        order = np.argsort(x, dim, kind="stable")
    return laid_like(np.take_along_axis(x, order, dim), x), laid_like(contiguous(order), x)


def laid_like(values: Any, x: Any) -> Any:
    """Values in memory as ``x``, where that fills its memory in another order than rows."""
    if x.flags.c_contiguous or not is_dense(x):
        return values
    order = memory_order(x)
    return in_order(values.transpose(order).copy(), values.shape, order)


sort = op(
    "sort(x, /, dim, descending)",
    _sorted,
    KEEPS_LAYOUT,
    n_out=2,
    check=no_complex("sort"),
    x=lambda g, x_shape, out1, dim: scatter_along(g, x_shape, dim, data_of(out1)) if x_shape else g,
)
sort_stable = variant(sort, "SortBackward1")


def _running(name: str) -> Any:
    pick = np.maximum if name == "cummax" else np.minimum

    def kernel(x: Any, dim: int) -> Any:
        if not x.ndim:
            return x.copy(), zeros((), np.int64, x)
        out = accumulated(pick, x, dim)
        at = arange(x.shape[dim], x).reshape([-1 if i == dim else 1 for i in range(x.ndim)])
        hit = np.where((x == out) | np.isnan(x), at, 0)
        return out, accumulated(np.maximum, hit, dim)

    return kernel


cummax = op(
    "cummax(x, /, dim)",
    _running("cummax"),
    n_out=2,
    refuses="c",
    x=lambda g, x_shape, out1, dim: scatter_along(g, x_shape, dim, data_of(out1)),
)
cummin = op(
    "cummin(x, /, dim)",
    _running("cummin"),
    n_out=2,
    refuses="c",
    x=lambda g, x_shape, out1, dim: scatter_along(g, x_shape, dim, data_of(out1)),
)


# -- public ----------------------------------------------------------------------------------------


VALUES = ("values", "indices")
MAX, MIN, SORT, TOPK, MEDIAN, KTHVALUE, CUMMAX, CUMMIN = (
    named_result(name, *VALUES)
    for name in ("max", "min", "sort", "topk", "median", "kthvalue", "cummax", "cummin")
)
AMINMAX = named_result("aminmax", "min", "max")


@public("amax")
def amax_public(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """The largest element over dimensions; ties share the gradient."""
    if dim == () or dim is None:
        elements("amax", input)
    return amax.apply(input, dims_of(dim, input._data.ndim), keepdim)


@public("amin")
def amin_public(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """The smallest element over dimensions; ties share the gradient."""
    if dim == () or dim is None:
        elements("amin", input)
    return amin.apply(input, dims_of(dim, input._data.ndim), keepdim)


def extremum(all_row: Any, dim_row: Any, binary: Any, x: Tensor, dim: Any, keepdim: bool) -> Any:
    """max and min in their three forms."""
    if isinstance(dim, Tensor):
        return binary(x, dim)
    if dim is not None:
        dim = wrap_dim(dim, x._data.ndim)
    if dim is not None and x._data.dtype.kind == "c":
        raise errors.wrong_dtype(f"{dim_row.row.name}(): complex numbers have no order")
    if dim is None:
        elements(all_row.row.name, x)
        return all_row.apply(x, tuple(range(x._data.ndim)), False)
    kind = MAX if dim_row is max_dim else MIN
    return kind(dim_row.apply(x, dim, keepdim))


@public("max")
def max_public(input: Tensor, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
    """The largest of all; with a dim (values, indices); with a tensor the elementwise maximum."""
    return extremum(
        max_all, max_dim, FUNCTIONS["maximum"], input, dim if other is None else other, keepdim
    )


@public("min")
def min_public(input: Tensor, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
    """The smallest of all; with a dim (values, indices); with a tensor the elementwise minimum."""
    return extremum(
        min_all, min_dim, FUNCTIONS["minimum"], input, dim if other is None else other, keepdim
    )


@public("aminmax")
def aminmax(input: Tensor, *, dim: Any = None, keepdim: bool = False) -> Any:
    """(smallest, largest)."""
    dims = () if dim is None else dim
    if dim is None and not input._data.size:
        raise errors.wrong_shape(
            f"aminmax(): an empty tensor has no extrema; got shape {list(input.shape)}"
        )
    return AMINMAX(aminmax_row(input, dims, keepdim))


aminmax_row = fused(
    "aminmax",
    lambda x, dims, keepdim: (amin_public(x, dims, keepdim), amax_public(x, dims, keepdim)),
    n_out=2,
)


@public("median")
def median(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The lower median; with a dim (values, indices)."""
    if dim is None:
        dims = tuple(range(input._data.ndim))
        return median_all.apply(input, dims, False)
    return MEDIAN(median_dim.apply(input, wrap_dim(dim, input._data.ndim), keepdim))


def _median(x: Any) -> Any:
    if not x.size:
        return full((), np.nan, x.dtype, x)
    ordered = np.sort(x, None)  # NaN comes last
    middle = ordered[(x.size - 1) // 2]
    last = ordered[-1]
    return np.where(np.isnan(last), last, middle) if x.dtype.kind == "f" else middle


median_all = op(
    "median(x, /, dims, keepdim)",
    lambda x, d, k: _median(x),
    refuses="bc",
    x=lambda g, x, out, dims, keepdim: tie_share(g, x, out, dims, keepdim),
)


@public("sort")
def sort_public(
    input: Tensor, dim: int = -1, descending: bool = False, stable: bool | None = None
) -> NamedResult:
    """(sorted values, where they were)."""
    row = sort if stable is None else sort_stable
    return SORT(row.apply(input, wrap_dim(dim, input._data.ndim), descending))


@public("argsort")
def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """The order that sorts."""
    return sort_public(input.detach(), dim, descending)[1]  # type: ignore[no-any-return]


@public("msort")
def msort(input: Tensor) -> Tensor:
    """Sorted along the first dimension."""
    return sort_public(input, 0)[0]  # type: ignore[no-any-return]


@public("topk")
def topk(
    input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> NamedResult:
    """The k largest or smallest, (values, indices)."""
    d = wrap_dim(dim, input._data.ndim)
    size = input._data.shape[d] if input._data.ndim else 1
    if not 0 <= whole("topk", "k", k) <= size:
        raise errors.wrong_index(
            f"selected index k out of range: topk of k={k} in a dimension of size {size}",
            RuntimeError,
        )
    return TOPK(topk_row.apply(input, k, d, largest))


def sortable(arrays: Any) -> None:
    """Refuse what has no largest elements.

    Raises:
        RuntimeError: bools or complex numbers.
    """
    if arrays[0].dtype.kind in "bc":
        raise errors.wrong_dtype(f"topk(): not supported for tensors of dtype {arrays[0].dtype}")


def _topk(x: Any, k: int, dim: int, largest: bool) -> Any:
    values, order = _sorted(x, dim, largest)
    if not x.ndim:
        return values, order
    at = (slice(None),) * dim + (slice(0, k),)
    return values[at].copy(), order[at].copy()


def topk_rule(g: Any, x_shape: Any, out1: Any, dim: int) -> Any:
    """The gradient goes to the elements that were picked."""
    return scatter_along(g, x_shape, dim, data_of(out1)) if x_shape else g


topk_row = op(
    "topk(x, /, k, dim, largest)",
    _topk,
    n_out=2,
    check=sortable,
    x=topk_rule,
)


@public("kthvalue")
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> NamedResult:
    """The k-th smallest, (value, index)."""
    d = wrap_dim(dim, input._data.ndim)
    size = input._data.shape[d] if input._data.ndim else 1
    if not size:
        raise errors.wrong_shape(
            f"kthvalue(): Expected reduction dim {d} to have non-zero size; got shape "
            f"{list(input.shape)}",
            IndexError,
        )
    if not 1 <= k <= size:
        raise errors.wrong_index(
            f"kthvalue(): k is out of range: got {k}, expected 1 to {size}, the size of "
            f"dimension {d}",
            RuntimeError,
        )
    return KTHVALUE(kth_row.apply(input, d, keepdim, k))


kth_row = op(
    "kthvalue(x, /, dim, keepdim, k)",
    lambda x, dim, keepdim, k: _pick(
        "kthvalue", lambda v, d: np.take(np.argsort(v, d, kind="stable"), k - 1, d)
    )(x, dim, keepdim),
    n_out=2,
    refuses="bc",
    x=index_rule,
)


@public("cummax")
def cummax_public(input: Tensor, dim: int) -> NamedResult:
    """The running maximum, (values, indices)."""
    return CUMMAX(cummax.apply(input, wrap_dim(dim, input._data.ndim)))


@public("cummin")
def cummin_public(input: Tensor, dim: int) -> NamedResult:
    """The running minimum, (values, indices)."""
    return CUMMIN(cummin.apply(input, wrap_dim(dim, input._data.ndim)))


def _arg(name: str) -> None:
    def arg(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
        x = input._data
        if x.dtype.kind in "bc":
            raise errors.wrong_dtype(f"{name}(): not supported for tensors of dtype {input.dtype}")
        dims = () if dim is None else (wrap_dim(dim, x.ndim),)
        nonempty(name, x, dims if x.ndim else ())
        out = first_extreme(name, x, None if dim is None or not x.ndim else dim)
        if keepdim and x.ndim:
            out = np.expand_dims(out, dims or tuple(range(x.ndim)))
        return wrap(as_array(out))

    arg.__doc__ = f"The index of the {name[3:]}imum."
    public(name)(arg)


_arg("argmax")
_arg("argmin")
