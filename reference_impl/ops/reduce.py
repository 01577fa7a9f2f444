"""Sums over dimensions, and what is made of them: means, variances, norms."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import errors
from ..backend import kernels as k
from ..backend.base import as_array, astype, zeros
from ..backend.dtypes import BY_NUMPY, COMPLEX, FLOATING, DType, array_dtype, get_default_dtype
from ..graph.row import HOLOMORPHIC, LINEAR
from ..tensor.tensor import Tensor, wrap
from .choose import data_of, where
from .compare import isnan
from .core import cast_to, dtype_of, expand, sum_to
from .dims import needs_tensor, wrap_dim
from .fused import fused
from .op import op
from .pointwise import abs_, exp, sgn
from .registry import FUNCTIONS, function, method, public
from .shape import _place, diagonal, reshape_any, view


def dims_of(dim: Any, ndim: int) -> tuple[int, ...]:
    """The dimensions to reduce; all for None and for an empty list.

    Raises:
        TypeError: neither a whole number nor a sequence of them.
        IndexError: the tensor has no such dimension.
        RuntimeError: one is named twice.
    """
    if dim is None:
        return tuple(range(ndim))
    if isinstance(dim, (int, np.integer)):
        only = wrap_dim(int(dim), ndim)
        return (only,) if ndim else ()
    if not isinstance(dim, Iterable):
        raise errors.wrong_type(
            f"argument 'dim' must be int or tuple of ints, not {type(dim).__name__}"
        )
    dims = tuple(dim)
    if not dims:
        return tuple(range(ndim))
    out = tuple(wrap_dim(d, ndim) for d in dims)
    if len(set(out)) != len(out):
        message = f"dims: each can be reduced once; got {list(out)}"
        raise errors.wrong_value(message, RuntimeError)
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


@k.in_single
def _mean(x: Any, dims: Any, keepdim: bool) -> Any:
    n = count(x.shape, dims)
    total = x.sum(axis=dims, keepdims=keepdim)
    return total / n if n else total * math.nan


mean_all = op(
    "mean(x)",
    lambda x: _mean(x, tuple(range(x.ndim)), False),
    LINEAR,
    x=lambda g, x_shape: expand(g, x_shape) / max(count(x_shape, range(len(x_shape))), 1),
)
mean_dims = op(
    "mean(x, /, dims, keepdim)",
    _mean,
    LINEAR,
    node="MeanBackward1",
    x=lambda g, x_shape, dims, keepdim: (
        back(g, x_shape, dims, keepdim) / max(count(x_shape, dims), 1)
    ),
)


@k.in_single
def _var(x: Any, dims: Any, correction: Any, keepdim: bool) -> Any:
    n = count(x.shape, dims)
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


std = op(
    "std(x, /, dims, correction, keepdim)", k.in_single(lambda *a: np.sqrt(_var(*a))), x=std_rule
)


@k.in_single
def _logsumexp(x: Any, dims: Any, keepdim: bool) -> Any:
    top = x.max(axis=dims, keepdims=True) if count(x.shape, dims) else zeros((), x.dtype, x)
    top = astype(np.where(np.isfinite(top), top, 0), x.dtype)
    out = k.log(k.exp(x - top).sum(axis=dims, keepdims=True)) + top
    return out if keepdim else out.reshape([n for i, n in enumerate(x.shape) if i not in dims])


logsumexp = op(
    "logsumexp(x, /, dims, keepdim)",
    _logsumexp,
    HOLOMORPHIC,
    x=lambda g, x, out, dims, keepdim: (
        back(g, tuple(x.shape), dims, keepdim) * exp(x - back(out, tuple(x.shape), dims, keepdim))
    ),
)


@k.in_single
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


@k.in_single
def norm_rule(g: Any, x: Any, out: Any, p: float, dims: Any, keepdim: bool) -> Any:
    """The gradient of a vector norm, zero at the zero vector; ties of an infinity norm share."""
    shape = tuple(x.shape)
    g, out = back(g, shape, dims, keepdim), back(out, shape, dims, keepdim)
    if p == 0:
        return None
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


norm_row = op("linalg_vector_norm(x, /, p, dims, keepdim)", _norm, shows={"p": "ord"}, x=norm_rule)
nansum = op("nansum(x, /, dims, keepdim)", lambda x, d, k: np.nansum(x, axis=d, keepdims=k),
            x=lambda g, x, dims, keepdim: back(g, tuple(x.shape), dims, keepdim)
            * cast_to(isnan(x) == False, data_of(g).dtype))  # noqa: E712  # fmt: skip


def prepared(what: str, x: Tensor, dtype: DType | None, floating: bool = False) -> Tensor:
    """The input in the dtype to reduce in; integers are summed as int64."""
    if dtype is not None and (floating or dtype.category >= FLOATING):
        x = cast_to(x, array_dtype(dtype))
    if BY_NUMPY[x._data.dtype].category < FLOATING or (
        dtype is not None and dtype.category < FLOATING
    ):
        if floating:
            raise errors.wrong_dtype(
                f"{what}(): the dtype of the result must be floating or complex; got "
                f"{x.dtype}. Pass dtype=, or convert the input first."
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
        if dtype is None:
            return sum_all.apply(x)
        out = sum_all.apply(x)
    else:
        out = sum_dims.apply(x, dims_of(dim, x._data.ndim), keepdim)
    return out if dtype is None else cast_to(out, array_dtype(dtype))


@public("mean")
def mean_public(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """The mean of all elements or over dimensions."""
    x = prepared("mean", input, dtype, floating=True)
    if dim is None and not keepdim:
        return mean_all.apply(x)
    return mean_dims.apply(x, dims_of(dim, x._data.ndim), keepdim)


def statistic(
    row: Any, x: Tensor, dim: Any, unbiased: Any, correction: Any, keepdim: bool
) -> Tensor:
    """var and std with their several spellings."""
    return row.apply(x, *statistic_of(x, dim, unbiased, correction), keepdim)  # type: ignore[no-any-return]


def statistic_of(x: Tensor, dim: Any, unbiased: Any, correction: Any) -> tuple[Any, Any]:
    """The dimensions and the correction.

    Raises:
        RuntimeError: whole numbers.
    """
    if unbiased is not None and correction is not None:
        raise errors.wrong_type(
            "[std, var] unbiased is another form of correction; pass one of them"
        )
    if BY_NUMPY[x._data.dtype].category < FLOATING:
        raise errors.wrong_dtype(f"[std, var] the dtype must be floating or complex; got {x.dtype}")
    if isinstance(dim, bool):
        unbiased, dim = dim, None
    if correction is None:
        correction = 1 if unbiased is None or unbiased else 0
    dims = dims_of(dim, x._data.ndim)
    if not x._data.size or count(x._data.shape, dims) <= correction:
        errors.caution(
            f"[std, var] with correction={correction} no degrees of freedom are left in "
            f"shape {list(x.shape)}, so the result is nan or inf. Pass a smaller "
            "correction.",
            5,
        )
    return dims, correction


def with_mean(row: Any) -> Any:
    """A statistic and the mean."""
    return lambda x, dims, correction, keepdim: (
        row.apply(x, dims, correction, keepdim),
        mean_dims.apply(x, dims, keepdim),
    )


var_mean_row = fused("var_mean", with_mean(var), n_out=2)
std_mean_row = fused("std_mean", with_mean(std), n_out=2)


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


@function("var_mean")
def var_mean(
    input: Tensor,
    dim: Any = None,
    unbiased: Any = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    """(variance, mean)."""
    return var_mean_row(input, *statistic_of(input, dim, unbiased, correction), keepdim)


@function("std_mean")
def std_mean(
    input: Tensor,
    dim: Any = None,
    unbiased: Any = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    """(standard deviation, mean)."""
    return std_mean_row(input, *statistic_of(input, dim, unbiased, correction), keepdim)


@public("logsumexp")
def logsumexp_public(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    """log of the sum of exponentials, without overflow."""
    if BY_NUMPY[input._data.dtype].category < FLOATING:
        input = cast_to(input, get_default_dtype().np)
    return logsumexp.apply(input, dims_of(dim, input._data.ndim), keepdim)


@public("norm")
def norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """A vector norm over all elements or dimensions."""
    if dtype is not None:
        input = cast_to(input, array_dtype(dtype))
    if p == "nuc":
        return FUNCTIONS["nuclear_norm"](input, (-2, -1) if dim is None else dim, keepdim)  # type: ignore[no-any-return]
    if isinstance(p, str) and p != "fro":
        raise errors.wrong_value(
            f"norm(): the order must be a number, 'fro' or 'nuc'; got '{p}'", RuntimeError
        )
    order = 2.0 if p in (None, "fro") else float(p)
    if BY_NUMPY[input._data.dtype].category < FLOATING:
        raise errors.wrong_dtype(
            f"norm(): the dtype must be floating or complex; got {input.dtype}. Convert with .to() "
            "first."
        )
    dims = dims_of(dim, input._data.ndim)
    if (order < 0 or order == math.inf) and not count(input._data.shape, dims):
        raise errors.wrong_shape(
            f"norm(): nothing has no norm of order {order}; got shape {list(input.shape)}"
        )
    return norm_row.apply(input, order, dims, keepdim)


def distance(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """The norm of a difference."""
    needs_tensor("dist", "other", other)
    return norm(input - other, p)


public("dist")(fused("dist", distance))


@public("nansum")
def nansum_public(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """The sum with NaN counted as zero."""
    if dtype is not None:
        input = cast_to(input, array_dtype(dtype))
    kind = BY_NUMPY[input._data.dtype].category
    if kind < FLOATING:  # which has no NaN
        return sum_public(input, dim, keepdim)
    dims = dims_of(dim, input._data.ndim)
    if kind == COMPLEX:
        raise errors.wrong_dtype(
            "nansum(): not supported for complex tensors; take their parts first"
        )
    return nansum.apply(input, dims, keepdim)


def _truth(name: str) -> None:
    def truth(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
        x = input._data
        dims = None if dim is None else dims_of(dim, x.ndim)
        found = as_array(getattr(np, name)(x, axis=dims, keepdims=keepdim))
        return wrap(astype(found, x.dtype) if x.dtype == np.uint8 else found)

    truth.__doc__ = f"Whether {name} elements are true."
    public(name)(truth)


_truth("all")
_truth("any")


@public("count_nonzero")
def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """How many elements are not zero."""
    dims = None if dim is None else dims_of(dim, input._data.ndim)
    return wrap(as_array(np.count_nonzero(input._data, axis=dims)))


trace_row = op(
    "trace(x)",
    lambda x: np.trace(x),
    LINEAR,
    x=lambda g, x_shape: placed_diagonal(g, x_shape),
)


def placed_diagonal(g: Any, shape: Any) -> Any:
    """Zeros of the shape of a matrix with ``g`` everywhere on the diagonal."""
    return _place(expand(g, (min(shape),)), shape, diagonal, 0, 0, 1)


@public("trace")
def trace(input: Tensor) -> Tensor:
    """The sum of the diagonal of a matrix."""
    if input._data.dtype.kind == "b":
        raise errors.unsupported_dtype("trace", input.dtype)
    if input._data.ndim != 2:
        raise errors.wrong_shape(
            f"trace(): the input must be a matrix; got shape {list(input.shape)}"
        )
    return trace_row.apply(prepared("trace", input, None))


@method("sum_to_size")
def sum_to_size(self: Tensor, *size: Any) -> Tensor:
    """Sum down to a shape that broadcasts to this tensor's."""
    shape = tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else size
    own = self._data.shape
    if len(shape) > len(own) or any(
        n not in (1, m) for n, m in zip(reversed(shape), reversed(own), strict=False)
    ):
        raise errors.wrong_shape(
            f"sum_to_size(): size {list(shape)} is not expandable to size {list(own)}, so nothing "
            "can be summed down to it"
        )
    if shape != own and dtype_of(self).category < FLOATING:
        self = cast_to(self, np.dtype("int64"))
    if len(shape) == len(own):
        return sum_to(self, shape)  # type: ignore[no-any-return]
    lead = len(own) - len(shape)
    return view(sum_to(self, (1,) * lead + tuple(shape)), shape)
