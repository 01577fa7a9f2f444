"""Reductions, scans and order."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..dtypes import BY_NUMPY, FLOATING, DType
from ..op import LINEAR, op
from ..tensor import Tensor, wrap
from .core import cast_to, expand, zeros_of
from .index import scatter_along
from .pointwise import data_of, exp, isnan, sgn, where
from .registry import FUNCTIONS, METHODS, function, public
from .shape import flip, reshape_any, wrap_dim


def dims_of(dim: Any, ndim: int) -> tuple[int, ...]:
    """The dimensions to reduce; all for None and for an empty list."""
    if dim is None or (not isinstance(dim, int) and len(dim) == 0):
        return tuple(range(ndim))
    dims = (dim,) if isinstance(dim, int) else tuple(dim)
    out = tuple(wrap_dim(d, ndim) for d in dims)
    if len(set(out)) != len(out):
        raise RuntimeError(f"dim {out[0]} appears multiple times in the list of dims")
    return tuple(sorted(out)) if ndim else ()


def back(g: Any, shape: Any, dims: Any, keepdim: bool) -> Any:
    """A reduction's gradient stretched over what was reduced."""
    if not keepdim and dims:
        g = reshape_any(g, tuple(1 if i in dims else n for i, n in enumerate(shape)))
    return expand(g, shape)


def keep(x: Any, shape: Any, dims: Any) -> Any:
    """A reduction's result with the reduced dimensions put back as size 1."""
    return reshape_any(x, tuple(1 if i in dims else n for i, n in enumerate(shape)))


def _sum(x: Any, dims: Any, keepdim: bool) -> Any:
    return x.sum(axis=dims, keepdims=keepdim)


sum_all = op("sum(x)", lambda x: x.sum(), LINEAR, x=lambda g, x_shape: expand(g, x_shape))
sum_dims = op(
    "sum(x, /, dims, keepdim)",
    _sum,
    LINEAR,
    node="SumBackward1",
    x=lambda g, x_shape, dims, keepdim: back(g, x_shape, dims, keepdim),
)


def count(shape: Any, dims: Any) -> int:
    """How many elements a reduction takes together."""
    n = 1
    for d in dims:
        n *= shape[d]
    return n


def _mean(x: Any, dims: Any, keepdim: bool) -> Any:
    n = count(x.shape, dims)
    total = x.sum(axis=dims, keepdims=keepdim)
    with np.errstate(all="ignore"):
        return total / n if n else total * math.nan


mean_all = op(
    "mean(x)",
    lambda x: _mean(x, tuple(range(x.ndim)), False),
    LINEAR,
    x=lambda g, x_shape: expand(g / max(count(x_shape, range(len(x_shape))), 1), x_shape),
)
mean_dims = op(
    "mean(x, /, dims, keepdim)",
    _mean,
    LINEAR,
    node="MeanBackward1",
    x=lambda g, x_shape, dims, keepdim: back(
        g / max(count(x_shape, dims), 1), x_shape, dims, keepdim
    ),
)


def prod_rule(g: Any, x: Any, dim: Any) -> Any:
    """For each element the product of the others, exact at zeros: from the left times from the
    right."""
    shape = tuple(x.shape)
    if dim is None:
        return reshape_any(prod_rule(g, reshape_any(x, (-1,)), 0), shape)
    if not shape:
        return g
    n = shape[dim]
    one = ones_like_slice(x, dim)
    left = cumprod_raw(cat2(one, cut(x, dim, 0, n - 1), dim), dim)
    right = flip(cumprod_raw(cat2(one, cut(flip(x, (dim,)), dim, 0, n - 1), dim), dim), (dim,))
    return expand(g if g.ndim == x.ndim else keep(g, shape, (dim,)), shape) * (left * right)


def ones_like_slice(x: Any, dim: int) -> Any:
    """Ones in the shape of one index of a dimension, kept."""
    shape = tuple(min(n, 1) if i == dim else n for i, n in enumerate(x.shape))
    return zeros_of(x, shape) + 1


def cut(x: Any, dim: int, start: int, stop: int) -> Any:
    """A range of a dimension."""
    from .shape import slice_

    return slice_(x, dim, slice(start, max(stop, 0)))


def cat2(a: Any, b: Any, dim: int) -> Any:
    """Two arrays or tensors joined."""
    from .shape import cat

    return cat([a, b], dim)


def cumprod_raw(x: Any, dim: int) -> Any:
    """The running product."""
    return cumprod(x, dim)


prod = op("prod(x, /, dim)", lambda x, dim: x.prod(axis=dim), x=prod_rule)
prod_dim = op(
    "prod(x, /, dim, keepdim)",
    lambda x, dim, keepdim: x.prod(axis=dim, keepdims=keepdim),
    node="ProdBackward1",
    x=lambda g, x, dim: prod_rule(g, x, dim),
)
cumsum = op(
    "cumsum(x, /, dim)",
    lambda x, dim: x.cumsum(axis=dim) if x.ndim else x.copy(),
    LINEAR,
    x=lambda g, dim: flip(cumsum(flip(g, (dim,)), dim), (dim,)) if g.ndim else g,
)


def cumprod_rule(g: Any, x: Any, dim: int) -> Any:
    """By definition, so that zeros are exact: out_k depends on x_i through the product of the
    others."""
    if not x.ndim:
        return g
    n = x.shape[dim]
    total = None
    for k in range(n):
        part = cut(x, dim, 0, k + 1)
        gk = cut(g, dim, k, k + 1)
        contribution = prod_rule(gk, part, dim)
        if k + 1 < n:
            contribution = cat2(contribution, zeros_of(cut(x, dim, k + 1, n)), dim)
        total = contribution if total is None else total + contribution
    return zeros_of(x) if total is None else total


cumprod = op(
    "cumprod(x, /, dim)", lambda x, dim: x.cumprod(axis=dim) if x.ndim else x.copy(), x=cumprod_rule
)


def tie_share(g: Any, x: Any, out: Any, dims: Any, keepdim: bool) -> Any:
    """The gradient of an extremum, shared evenly among the elements that attain it."""
    shape = tuple(x.shape)
    whole = back(out, shape, dims, keepdim)
    mask = cast_to((x == whole) | (isnan(x) & isnan(whole)), data_of(g).dtype)
    n = sum_dims(mask, dims, True)
    return back(g, shape, dims, keepdim) * (mask / expand(n, shape))


def nonempty(what: str, x: Any, dims: Any) -> None:
    """Refuse an extremum over nothing."""
    if any(x.shape[d] == 0 for d in dims) or (not dims and x.size == 0):
        raise IndexError(
            f"{what}(): Expected reduction dim to have non-zero size, found shape {list(x.shape)}"
        )
    if x.dtype.kind == "c":
        raise RuntimeError(f"[{what}] complex numbers have no order; take their absolute values")


def _extremum(name: str) -> Any:
    def kernel(x: Any, dims: Any, keepdim: bool) -> Any:
        nonempty(name, x, dims)
        return getattr(np, name)(x, axis=dims, keepdims=keepdim)

    return kernel


amax = op(
    "amax(x, /, dims, keepdim)",
    _extremum("amax"),
    x=lambda g, x, out, dims, keepdim: tie_share(g, x, out, dims, keepdim),
)
amin = op(
    "amin(x, /, dims, keepdim)",
    _extremum("amin"),
    x=lambda g, x, out, dims, keepdim: tie_share(g, x, out, dims, keepdim),
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
            return x.copy(), np.zeros((), np.int64)
        nonempty(name, x, (dim,))
        i = np.expand_dims(chooser(x, dim), dim)
        values = np.take_along_axis(x, i, dim)
        return (values, i) if keepdim else (values.squeeze(dim), i.squeeze(dim))

    return kernel


def _median_index(x: Any, dim: int) -> Any:
    order = np.argsort(x, dim, kind="stable")
    return np.take(order, (x.shape[dim] - 1) // 2, dim)


max_dim = op(
    "max(x, /, dim, keepdim)",
    _pick("max", lambda x, d: x.argmax(d)),
    n_out=2,
    node="MaxBackward0",
    x=index_rule,
)
min_dim = op(
    "min(x, /, dim, keepdim)",
    _pick("min", lambda x, d: x.argmin(d)),
    n_out=2,
    node="MinBackward0",
    x=index_rule,
)
median_dim = op(
    "median(x, /, dim, keepdim)",
    _pick("median", _median_index),
    n_out=2,
    node="MedianBackward1",
    x=index_rule,
)


def _sorted(x: Any, dim: int, descending: bool) -> Any:
    if not x.ndim:
        return x.copy(), np.zeros((), np.int64)
    if descending:
        rev = np.flip(x, dim)
        order = x.shape[dim] - 1 - np.flip(np.argsort(rev, dim, kind="stable"), dim)
    else:
        order = np.argsort(x, dim, kind="stable")
    return np.take_along_axis(x, order, dim), np.ascontiguousarray(order)


sort = op(
    "sort(x, /, dim, descending)",
    _sorted,
    n_out=2,
    x=lambda g, x_shape, out1, dim: scatter_along(g, x_shape, dim, data_of(out1)) if x_shape else g,
)


def _var(x: Any, dims: Any, correction: Any, keepdim: bool) -> Any:
    n = count(x.shape, dims)
    with np.errstate(all="ignore"):
        centred = x - (x.sum(axis=dims, keepdims=True) / n)
        total = (np.abs(centred) ** 2).sum(axis=dims, keepdims=keepdim)
        return total / total.dtype.type(max(n - correction, 0))


def var_rule(g: Any, x: Any, dims: Any, correction: Any, keepdim: bool) -> Any:
    """2 (x - mean) / (n - correction)."""
    n = count(x.shape, dims)
    centred = x - mean_dims(x, dims, True)
    scale = 2 / (n - correction) if n - correction > 0 else math.nan
    return back(g, tuple(x.shape), dims, keepdim) * (scale * centred)


var = op("var(x, /, dims, correction, keepdim)", _var, x=var_rule)


def std_rule(g: Any, x: Any, out: Any, dims: Any, correction: Any, keepdim: bool) -> Any:
    """The gradient of var over twice the std, zero where that is zero."""
    scaled = where(out == 0, 0, g / (2 * out))
    return var_rule(scaled, x, dims, correction, keepdim)


std = op("std(x, /, dims, correction, keepdim)", lambda *a: np.sqrt(_var(*a)), x=std_rule)


def _logsumexp(x: Any, dims: Any, keepdim: bool) -> Any:
    with np.errstate(all="ignore"):
        top = np.max(x, axis=dims, keepdims=True, initial=-np.inf)
        top = np.where(np.isfinite(top), top, 0).astype(x.dtype)
        out = np.log(np.exp(x - top).sum(axis=dims, keepdims=True)) + top
    return out if keepdim else out.reshape([n for i, n in enumerate(x.shape) if i not in dims])


logsumexp = op(
    "logsumexp(x, /, dims, keepdim)",
    _logsumexp,
    x=lambda g, x, out, dims, keepdim: (
        back(g, tuple(x.shape), dims, keepdim) * exp(x - back(out, tuple(x.shape), dims, keepdim))
    ),
)


def _norm(x: Any, p: float, dims: Any, keepdim: bool) -> Any:
    a = np.abs(x)
    if p == 2:
        return np.sqrt((a * a).sum(axis=dims, keepdims=keepdim))
    if p == 1:
        return a.sum(axis=dims, keepdims=keepdim)
    if p in (math.inf, -math.inf):
        return (a.max if p > 0 else a.min)(axis=dims, keepdims=keepdim)
    if p == 0:
        return (a != 0).sum(axis=dims, keepdims=keepdim).astype(a.dtype)
    return (a**p).sum(axis=dims, keepdims=keepdim) ** (1 / p)


def norm_rule(g: Any, x: Any, out: Any, p: float, dims: Any, keepdim: bool) -> Any:
    """The gradient of a vector norm, zero at the zero vector; ties of an infinity norm share."""
    from .pointwise import abs_

    shape = tuple(x.shape)
    g, out = back(g, shape, dims, keepdim), back(out, shape, dims, keepdim)
    if p == 0:
        return g * 0 * x
    if p == 1:
        return g * sgn(x)
    if p == 2:
        return where(out == 0, 0, g * (x / where(out == 0, 1, out)))
    a = abs_(x)
    if p in (math.inf, -math.inf):
        mask = cast_to(a == out, data_of(g).dtype)
        return g * sgn(x) * (mask / expand(sum_dims(mask, dims, True), shape))
    safe = where(out == 0, 1, out)
    scaled = where(a == 0, 0, where(a == 0, 1, a) ** (p - 1)) if p < 2 else a ** (p - 1)
    return where(out == 0, 0, g * sgn(x) * (scaled / safe ** (p - 1)))


norm_row = op("linalg_vector_norm(x, /, p, dims, keepdim)", _norm, x=norm_rule)
nansum = op("nansum(x, /, dims, keepdim)", lambda x, d, k: np.nansum(x, axis=d, keepdims=k),
            x=lambda g, x, dims, keepdim: back(g, tuple(x.shape), dims, keepdim)
            * cast_to(isnan(x) == False, data_of(g).dtype))  # noqa: E712  # fmt: skip


def _running(name: str) -> Any:
    pick = np.maximum if name == "cummax" else np.minimum

    def kernel(x: Any, dim: int) -> Any:
        if not x.ndim:
            return x.copy(), np.zeros((), np.int64)
        out = pick.accumulate(x, axis=dim)
        at = np.arange(x.shape[dim]).reshape([-1 if i == dim else 1 for i in range(x.ndim)])
        hit = np.where((x == out) | np.isnan(x), at, 0)
        return out, np.maximum.accumulate(hit, axis=dim)

    return kernel


cummax = op(
    "cummax(x, /, dim)",
    _running("cummax"),
    n_out=2,
    x=lambda g, x_shape, out1, dim: scatter_along(g, x_shape, dim, data_of(out1)),
)
cummin = op(
    "cummin(x, /, dim)",
    _running("cummin"),
    n_out=2,
    x=lambda g, x_shape, out1, dim: scatter_along(g, x_shape, dim, data_of(out1)),
)

# -- public ----------------------------------------------------------------------------------------


class Pair(NamedTuple):
    """Values and where they were found."""

    values: Tensor
    indices: Tensor


def prepared(what: str, x: Tensor, dtype: DType | None, floating: bool = False) -> Tensor:
    """The input in the dtype to reduce in; integers are summed as int64."""
    if dtype is not None:
        return cast_to(x, dtype.np)  # type: ignore[no-any-return]
    if BY_NUMPY[x._data.dtype].category < FLOATING:
        if floating:
            raise RuntimeError(
                f"{what}(): could not infer output dtype. Input dtype must be either a floating "
                f"point or complex dtype. Got: {x.dtype}"
            )
        return cast_to(x, np.dtype("int64"))  # type: ignore[no-any-return]
    return x


@public("sum")
def sum_public(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """The sum of all elements or over dimensions; integers give int64."""
    x = prepared("sum", input, dtype)
    if dim is None and not keepdim:
        return sum_all.apply(x)  # type: ignore[no-any-return]
    return sum_dims.apply(x, dims_of(dim, x._data.ndim), keepdim)  # type: ignore[no-any-return]


@public("mean")
def mean_public(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """The mean of all elements or over dimensions."""
    x = prepared("mean", input, dtype, floating=True)
    if dim is None and not keepdim:
        return mean_all.apply(x)  # type: ignore[no-any-return]
    return mean_dims.apply(x, dims_of(dim, x._data.ndim), keepdim)  # type: ignore[no-any-return]


@public("prod")
def prod_public(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """The product of all elements or over one dimension."""
    x = prepared("prod", input, dtype)
    if dim is None:
        return prod.apply(x, None)  # type: ignore[no-any-return]
    if not x._data.ndim:
        return prod.apply(x, None)  # type: ignore[no-any-return]
    return prod_dim.apply(x, wrap_dim(dim, x._data.ndim), keepdim)  # type: ignore[no-any-return]


@public("amax")
def amax_public(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """The largest element over dimensions; ties share the gradient."""
    return amax.apply(input, dims_of(dim, input._data.ndim), keepdim)  # type: ignore[no-any-return]


@public("amin")
def amin_public(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """The smallest element over dimensions; ties share the gradient."""
    return amin.apply(input, dims_of(dim, input._data.ndim), keepdim)  # type: ignore[no-any-return]


def extremum(all_row: Any, dim_row: Any, binary: Any, x: Tensor, dim: Any, keepdim: bool) -> Any:
    """max and min in their three forms."""
    if isinstance(dim, Tensor):
        return binary(x, dim)
    if dim is None:
        return all_row.apply(x, tuple(range(x._data.ndim)), False)
    return Pair(*dim_row.apply(x, wrap_dim(dim, x._data.ndim), keepdim))


@public("max")
def max_public(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The largest of all; with a dim (values, indices); with a tensor the elementwise maximum."""
    return extremum(max_all, max_dim, FUNCTIONS["maximum"], input, dim, keepdim)


@public("min")
def min_public(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The smallest of all; with a dim (values, indices); with a tensor the elementwise minimum."""
    return extremum(min_all, min_dim, FUNCTIONS["minimum"], input, dim, keepdim)


@public("aminmax")
def aminmax(input: Tensor, *, dim: Any = None, keepdim: bool = False) -> Any:
    """(smallest, largest)."""
    dims = () if dim is None else dim
    return amin_public(input, dims, keepdim), amax_public(input, dims, keepdim)


@public("median")
def median(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The lower median; with a dim (values, indices)."""
    if dim is None:
        dims = tuple(range(input._data.ndim))
        return median_all.apply(input, dims, False)
    return Pair(*median_dim.apply(input, wrap_dim(dim, input._data.ndim), keepdim))


median_all = op(
    "median(x, /, dims, keepdim)",
    lambda x, d, k: np.asarray(
        np.nan
        if x.dtype.kind == "f" and np.isnan(x).any()
        else np.sort(x, None)[(x.size - 1) // 2],
        x.dtype,
    ),
    x=lambda g, x, out, dims, keepdim: tie_share(g, x, out, dims, keepdim),
)


@public("sort")
def sort_public(
    input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False
) -> Pair:
    """(sorted values, where they were)."""
    return Pair(*sort.apply(input, wrap_dim(dim, input._data.ndim), descending))


@public("argsort")
def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """The order that sorts."""
    return sort_public(input.detach(), dim, descending)[1]


@public("topk")
def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Pair:
    """The k largest or smallest, (values, indices)."""
    d = wrap_dim(dim, input._data.ndim)
    return Pair(*topk_row.apply(input, k, d, largest))


def _topk(x: Any, k: int, dim: int, largest: bool) -> Any:
    values, order = _sorted(x, dim, largest)
    at = (slice(None),) * dim + (slice(0, k),)
    return values[at].copy(), order[at].copy()


topk_row = op(
    "topk(x, /, k, dim, largest)",
    _topk,
    n_out=2,
    x=lambda g, x_shape, out1, dim: scatter_along(g, x_shape, dim, data_of(out1)),
)


@public("kthvalue")
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Pair:
    """The k-th smallest, (value, index)."""
    d = wrap_dim(dim, input._data.ndim)
    return Pair(*kth_row.apply(input, d, keepdim, k))


kth_row = op(
    "kthvalue(x, /, dim, keepdim, k)",
    lambda x, dim, keepdim, k: _pick(
        "kthvalue", lambda v, d: np.take(np.argsort(v, d, kind="stable"), k - 1, d)
    )(x, dim, keepdim),
    n_out=2,
    x=index_rule,
)


def statistic(
    row: Any, x: Tensor, dim: Any, unbiased: Any, correction: Any, keepdim: bool
) -> Tensor:
    """var and std with their several spellings."""
    if isinstance(dim, bool):
        unbiased, dim = dim, None
    if correction is None:
        correction = 1 if unbiased is None or unbiased else 0
    return row.apply(x, dims_of(dim, x._data.ndim), correction, keepdim)  # type: ignore[no-any-return]


@public("var")
def var_public(
    input: Tensor,
    dim: Any = None,
    unbiased: Any = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Tensor:
    """The variance, over n - correction."""
    return statistic(var, input, dim, unbiased, correction, keepdim)


@public("std")
def std_public(
    input: Tensor,
    dim: Any = None,
    unbiased: Any = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Tensor:
    """The standard deviation, over n - correction."""
    return statistic(std, input, dim, unbiased, correction, keepdim)


@public("var_mean")
def var_mean(
    input: Tensor,
    dim: Any = None,
    unbiased: Any = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    """(variance, mean)."""
    return var_public(input, dim, unbiased, keepdim, correction=correction), mean_public(
        input, dim, keepdim
    )


@public("std_mean")
def std_mean(
    input: Tensor,
    dim: Any = None,
    unbiased: Any = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    """(standard deviation, mean)."""
    return std_public(input, dim, unbiased, keepdim, correction=correction), mean_public(
        input, dim, keepdim
    )


@public("logsumexp")
def logsumexp_public(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    """log of the sum of exponentials, without overflow."""
    return logsumexp.apply(input, dims_of(dim, input._data.ndim), keepdim)  # type: ignore[no-any-return]


@public("norm")
def norm(input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False) -> Tensor:
    """A vector norm over all elements or dimensions."""
    order = 2.0 if p in (None, "fro") else float(p)
    return norm_row.apply(input, order, dims_of(dim, input._data.ndim), keepdim)  # type: ignore[no-any-return]


@function("dist")
def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """The norm of a difference."""
    return norm(input - other, p)


METHODS["dist"] = dist


@public("nansum")
def nansum_public(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """The sum with NaN counted as zero."""
    return nansum.apply(input, dims_of(dim, input._data.ndim), keepdim)  # type: ignore[no-any-return]


@public("cumsum")
def cumsum_public(input: Tensor, dim: int, *, dtype: DType | None = None) -> Tensor:
    """The running sum."""
    return cumsum.apply(prepared("cumsum", input, dtype), wrap_dim(dim, input._data.ndim))  # type: ignore[no-any-return]


@public("cumprod")
def cumprod_public(input: Tensor, dim: int, *, dtype: DType | None = None) -> Tensor:
    """The running product."""
    return cumprod.apply(prepared("cumprod", input, dtype), wrap_dim(dim, input._data.ndim))  # type: ignore[no-any-return]


@public("cummax")
def cummax_public(input: Tensor, dim: int) -> Pair:
    """The running maximum, (values, indices)."""
    return Pair(*cummax.apply(input, wrap_dim(dim, input._data.ndim)))


@public("cummin")
def cummin_public(input: Tensor, dim: int) -> Pair:
    """The running minimum, (values, indices)."""
    return Pair(*cummin.apply(input, wrap_dim(dim, input._data.ndim)))


def _arg(name: str) -> None:
    def arg(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
        x = input._data
        nonempty(name, x, () if dim is None else (wrap_dim(dim, x.ndim),) if x.ndim else ())
        out = getattr(x, name)(axis=None if dim is None or not x.ndim else dim)
        if keepdim and dim is not None and x.ndim:
            out = np.expand_dims(out, dim)
        return wrap(np.asarray(out))

    arg.__doc__ = f"The index of the {name[3:]}imum."
    public(name)(arg)


_arg("argmax")
_arg("argmin")


def _truth(name: str) -> None:
    def truth(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
        return wrap(np.asarray(getattr(np, name)(input._data, axis=dim, keepdims=keepdim)))

    truth.__doc__ = f"Whether {name} elements are true."
    public(name)(truth)


_truth("all")
_truth("any")


@public("count_nonzero")
def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """How many elements are not zero."""
    return wrap(np.asarray(np.count_nonzero(input._data, axis=dim)))


@public("trace")
def trace(input: Tensor) -> Tensor:
    """The sum of the diagonal of a matrix."""
    return sum_public(FUNCTIONS["diagonal"](input))


@public("diff")
def diff(input: Tensor, n: int = 1, dim: int = -1) -> Tensor:
    """Differences of neighbours."""
    d = wrap_dim(dim, input._data.ndim)
    for _ in range(n):
        size = input._data.shape[d]
        input = cut(input, d, 1, size) - cut(input, d, 0, size - 1)
    return input
