"""Statistics that are made of other operations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import as_array, astype, beside, has_values, host, host_or_zeros, zeros
from ..backend.dtypes import BY_NUMPY, FLOATING, array_dtype, get_default_dtype
from ..errors import unsupported_dtype
from ..tensor.tensor import Tensor, wrap
from .binary import logaddexp
from .choose import where
from .core import cast_to, div, mul, zeros_of
from .dims import own_dim, wrap_dim
from .fused import fused
from .joins import stack_public
from .op import variant
from .order import VALUES
from .reduce import dims_of
from .registry import FUNCTIONS, function, method, public
from .return_types import NamedResult, named_result
from .shape import squeeze_dim_in_place
from .ternary import lerp

__all__ = [
    "corrcoef",
    "cov",
    "logcumsumexp",
    "mode",
    "nanmean",
    "nanmedian",
    "quantile",
    "trapezoid",
]


def finite_or_zero(array: Any) -> Any:
    """An array with zeros for its infinities and NaN."""
    return astype(np.where(np.isfinite(array), array, 0), array.dtype)


EXPONENTS = {2: 9, 4: 80, 8: 600, 16: 600}
"""How far apart elements of so many bytes may be before their exponentials underflow."""


def _logcumsumexp(input: Tensor, dim: int) -> Tensor:
    top: Any = 0
    x = input._data
    if x.size:
        highest = finite_or_zero(x.max(axis=dim if x.ndim else None, keepdims=True))
        far = np.isfinite(x) & (highest.real - x.real > EXPONENTS[x.dtype.itemsize])
        if has_values(far) and far.any():
            return one_after_another(input, dim)
        top = wrap(highest)
    out: Tensor = ((input - top).exp().cumsum(dim)).log() + top
    return out


def one_after_another(input: Tensor, dim: int) -> Tensor:
    """The running logarithms without a shift that is one for all of them."""
    n = input._data.shape[dim]
    sums = [input.select(dim, 0)]
    for i in range(1, n):
        sums.append(logaddexp.apply(sums[-1], input.select(dim, i)))
    return stack_public(sums, dim)


logcumsumexp_row = fused("logcumsumexp", _logcumsumexp)


@public("logcumsumexp")
def logcumsumexp(input: Tensor, dim: int) -> Tensor:
    """log of the running sum of exponentials, shifted by the largest element."""
    d = wrap_dim(dim, input._data.ndim)
    if BY_NUMPY[input._data.dtype].category < FLOATING:
        raise unsupported_dtype("logcumsumexp", input.dtype)
    return logcumsumexp_row(input, d)  # type: ignore[no-any-return]


@function("trapezoid", "trapz")
def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """The integral by the trapezoidal rule."""
    d = own_dim(dim, y._data.ndim)
    n = y._data.shape[d]
    no_bools("trapezoid", y)
    if not n:
        return zeros_of(y.sum(d))  # type: ignore[no-any-return]
    if x is None:
        total = y.sum(d) - (y.select(d, 0) + y.select(d, -1)) * 0.5
        return times_number.apply(total, dx)
    steps = steps_between("trapezoid", x, y, d)
    between = (y.narrow(d, 1, n - 1) + y.narrow(d, 0, n - 1)) * steps
    return over_number.apply(between.sum(d), 2.0)


times_number = variant(mul, "MulBackward1")
over_number = variant(div, "DivBackward1")


def steps_between(what: str, x: Tensor, y: Tensor, d: int) -> Tensor:
    """The distances between the points ``x`` along a dim of ``y``, whose dims they are aligned to."""
    missing = y._data.ndim - x._data.ndim
    if x._data.ndim == 1:
        x = x.reshape([-1 if k == d else 1 for k in range(y._data.ndim)])
    elif missing > 0:
        x = x.reshape([1] * missing + list(x.shape))
    if x._data.shape[d] != y._data.shape[d]:
        raise errors.wrong_shape(
            f"{what}(): expected one x for each of the {y._data.shape[d]} points; got shape "
            f"{list(x.shape)}"
        )
    steps: Tensor = FUNCTIONS["diff"](x, dim=d)
    return steps


def no_bools(what: str, y: Tensor) -> None:
    """Refuse bools, which enclose no area."""
    if y._data.dtype.kind == "b":
        raise errors.wrong_dtype(f"{what}(): received a bool input, but bool is not supported")


@function("cumulative_trapezoid")
def cumulative_trapezoid(
    y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1
) -> Tensor:
    """The integrals so far by the trapezoidal rule."""
    no_bools("cumulative_trapezoid", y)
    d = own_dim(dim, y._data.ndim)
    rest = max(y._data.shape[d] - 1, 0)
    first, last = (0, 0) if not y._data.shape[d] else (0, 1)
    both = y.narrow(d, last, rest) + y.narrow(d, first, rest)
    if x is None:
        return times_number.apply(both, dx / 2.0).cumsum(d)
    areas: Tensor = both * steps_between("cumulative_trapezoid", x, y, d)
    return over_number.apply(areas.cumsum(d), 2.0)


MODE = named_result("mode", *VALUES)


@public("mode")
def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> NamedResult:
    """The most frequent element, the smallest among ties, with the last place where it stands."""
    d = wrap_dim(dim, input._data.ndim)
    if input._data.dtype.kind == "c":
        raise unsupported_dtype("mode", input.dtype)
    return MODE(mode_row(input, d, keepdim))


def _mode(input: Tensor, d: int, keepdim: bool) -> Any:
    if not input._data.ndim:
        return input.clone(), wrap(zeros((), np.int64, input._data))
    if not input._data.shape[d]:
        raise errors.wrong_shape(
            f"mode(): dimension {d} has no elements to count; got shape {list(input.shape)}",
            IndexError,
        )
    if not input._data.size:
        shape = [1 if k == d else m for k, m in enumerate(input._data.shape)]
        empty = wrap(zeros(shape, np.int64, input._data))
        values = input.narrow(d, 0, 1).clone()
        return (values, empty) if keepdim else (values.squeeze(d), empty.squeeze(d))

    data = input._data  # counted on the CPU, wherever the tensor lives
    rows = np.moveaxis(np.asarray(host_or_zeros(data)), d, -1)
    ordered = np.sort(rows, axis=-1)
    place = np.arange(rows.shape[-1])
    first = np.ones(rows.shape, bool)  # of several that are equal
    first[..., 1:] = ~_same(ordered[..., 1:], ordered[..., :-1])
    length = place - np.maximum.accumulate(np.where(first, place, 0), axis=-1)
    most = np.take_along_axis(ordered, length.argmax(-1, keepdims=True), -1)
    found = np.where(_same(rows, most), place, -1).max(-1, keepdims=True)
    at = beside(np.moveaxis(found, -1, d), data)
    values, indices = input.gather(d, wrap(at)), wrap(at)
    return (values, indices) if keepdim else (values.squeeze(d), indices.squeeze(d))


def _same(a: Any, b: Any) -> Any:
    """Whether elements are equal, or both are NaN."""
    return (a == b) | ((a != a) & (b != b))


mode_row = fused("mode", _mode, n_out=2)


def interpolated(ordered: Tensor, q: float, interpolation: str, valid: Any) -> Tensor:
    """A quantile of sorted vectors (the last dimension), of each of which so many elements count."""
    place = q * (valid - 1)
    low, high = np.floor(place), np.ceil(place)
    weights = {"linear": place - low, "lower": low - low, "higher": high - low,
               "midpoint": (high - low) / 2, "nearest": np.round(place) - low}  # fmt: skip

    def picked(at: Any) -> Tensor:
        index = np.maximum(at, 0).astype(np.int64)[..., None]
        return ordered.gather(-1, wrap(index)).squeeze(-1)

    weight = astype(as_array(weights[interpolation]), ordered._data.dtype)
    return lerp.apply(picked(low), picked(high), wrap(weight))


@public("quantile")
def quantile(
    input: Tensor,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
) -> Tensor:
    """The value below which a share q of the elements lies."""
    return quantiles(input, q, dim, keepdim, interpolation, skip_nan=False)


@public("nanquantile")
def nanquantile(
    input: Tensor,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
) -> Tensor:
    """The value below which a share q of the elements that are numbers lies."""
    return quantiles(input, q, dim, keepdim, interpolation, skip_nan=True)


INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


def quantiles(
    input: Tensor, q: Any, dim: int | None, keepdim: bool, interpolation: str, skip_nan: bool
) -> Tensor:
    """Both kinds of quantile.

    Raises:
        RuntimeError: another dtype than single or double precision, of input or q; no elements; an
            unknown interpolation; a share that is none.
    """
    if input._data.dtype not in (np.float32, np.float64):
        raise errors.wrong_dtype(
            f"quantile(): the input must be of dtype float32 or float64; got {input.dtype}"
        )
    if isinstance(q, Tensor) and q.dtype is not input.dtype:
        raise errors.wrong_dtype(
            f"quantile(): q must be of the input's dtype, {input.dtype}; got {q.dtype}"
        )
    if not input._data.size:
        raise errors.wrong_shape("quantile(): the input must not be empty")
    if interpolation not in INTERPOLATIONS:
        raise errors.wrong_value(
            f"quantile(): interpolation must be one of {', '.join(INTERPOLATIONS)}; got "
            f"'{interpolation}'",
            RuntimeError,
        )
    if dim is not None:
        dim = wrap_dim(dim, input._data.ndim)
    whole = dim is None or not input._data.ndim
    x = input.reshape(-1) if whole else input.movedim(dim, -1)
    ordered = x.sort(-1)[0]
    nans = np.isnan(x._data).sum(-1)
    valid = x._data.shape[-1] - (nans if skip_nan else 0 * nans)
    if not skip_nan and has_values(nans) and nans.any():
        spoilt = np.broadcast_to((nans > 0)[..., None], x._data.shape)
        ordered = where(wrap(spoilt), math.nan, ordered)
    shares = np.asarray(host(q._data) if isinstance(q, Tensor) else q)
    if ((shares < 0) | (shares > 1)).any():
        raise errors.wrong_value(
            f"quantile(): q must lie between 0 and 1; got {shares.tolist()}", RuntimeError
        )
    results = [interpolated(ordered, float(v), interpolation, valid) for v in shares.reshape(-1)]
    if keepdim:
        places = range(input._data.ndim) if dim is None else [wrap_dim(dim, input._data.ndim)]
        for d in places if input._data.ndim else ():
            results = [r.unsqueeze(d) for r in results]
    joined = stack_public(results) if shares.ndim else results[0]
    return squeeze_dim_in_place.apply(joined.unsqueeze(0), (0,))


@public("nanmean")
def nanmean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The mean of what is not NaN.

    Raises:
        RuntimeError: the dtype is no floating one.
    """
    if dtype is not None:
        input = cast_to(input, array_dtype(dtype))
    whole = BY_NUMPY[input._data.dtype].category < FLOATING
    dims = () if whole else dims_of(dim, input._data.ndim)
    if not input.dtype.is_floating_point:
        raise errors.wrong_dtype(f"nanmean(): the dtype must be floating; got {input.dtype}")
    valid = ~np.isnan(input._data)
    n = as_array(valid.sum(axis=dims, keepdims=keepdim))
    count = wrap(astype(n, input._data.dtype))
    return input.nansum(dim, keepdim) / count


NANMEDIAN = named_result("nanmedian", *VALUES)


@public("nanmedian")
def nanmedian(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The median of what is not NaN; with a dim (values, indices)."""
    if dim is None:
        return nanmedian_all(input)
    return NANMEDIAN(nanmedian_dim(input, wrap_dim(dim, input._data.ndim), keepdim))


def _nanmedian(input: Tensor) -> Tensor:
    valid = ~np.isnan(input._data)
    return (input[wrap(valid)] if has_values(valid) and valid.any() else input).median()


def _nanmedian_dim(input: Tensor, d: int, keepdim: bool) -> Any:
    if input._data.dtype.kind in "bc":
        raise unsupported_dtype("nanmedian", input.dtype)
    if not input._data.ndim:
        return input.clone(), wrap(zeros((), np.int64, input._data))
    if not input._data.shape[d]:
        raise errors.wrong_shape(
            f"median(): Expected reduction dim {d} to have non-zero size.", IndexError
        )
    order = np.argsort(input._data, d, kind="stable")
    valid = (~np.isnan(input._data)).sum(d, keepdims=True)
    at = wrap(np.take_along_axis(order, np.maximum(valid - 1, 0) // 2, d))
    values = input.gather(d, at)
    return (values, at) if keepdim else (values.squeeze(d), at.squeeze(d))


NANMEDIAN = named_result("nanmedian", *VALUES)
nanmedian_all = fused("nanmedian", _nanmedian)
nanmedian_dim = fused("nanmedian", _nanmedian_dim, "NanmedianBackward1", 2)


@public("cov")
def cov(
    input: Tensor,
    *,
    correction: int = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
) -> Tensor:
    """Covariances of rows; columns may be counted several times, and weighted."""
    if input._data.ndim > 2:
        raise errors.wrong_shape(
            f"cov(): expected at most 2 dimensions; got shape {list(input.shape)}"
        )
    if input._data.dtype.kind == "b":
        raise errors.wrong_dtype("cov(): received a bool input, but bool is not supported")
    if BY_NUMPY[input._data.dtype].category < FLOATING:
        input = cast_to(input, get_default_dtype().np)
    x = input if input._data.ndim == 2 else input.reshape(1, -1)
    weights = None
    for given in (fweights, aweights):
        if given is not None:
            weights = given if weights is None else weights * given
    if weights is None:
        centred = x - x.mean(1, keepdim=True)
        out: Tensor = centred @ centred.t().conj() / max(x._data.shape[1] - correction, 0)
    else:
        total = weights.sum()
        centred = x - (x * weights).sum(1, keepdim=True) / total
        share: Any = 1 if aweights is None else (weights * aweights).sum() / total
        out = (centred * weights) @ centred.t().conj() / (total - correction * share)
    return out.squeeze()


@public("corrcoef")
def corrcoef(input: Tensor) -> Tensor:
    """Correlations of rows, limited to [-1, 1]."""
    c = cov(input)
    if not c._data.ndim:
        return c / c
    scale = c.diagonal().sqrt()
    scaled: Tensor = c / scale.unsqueeze(1) / scale.unsqueeze(0)
    if c.dtype.is_complex:
        parts = scaled.real.clamp(-1, 1), scaled.imag.clamp(-1, 1)
        return FUNCTIONS["complex"](*parts)  # type: ignore[no-any-return]
    return scaled.clamp(-1, 1)


def renorm(input: Tensor, p: float, dim: int, maxnorm: float) -> Tensor:
    """Slices along a dimension scaled down to a largest norm.

    Raises:
        RuntimeError: less than 2 dimensions.
    """
    if input._data.ndim < 2:
        raise errors.wrong_shape(
            f"renorm(): the input must have at least 2 dimensions; got shape {list(input.shape)}"
        )
    d = wrap_dim(dim, input._data.ndim)
    others = tuple(k for k in range(input._data.ndim) if k != d)
    size = input.norm(p, others, keepdim=True)
    factor: Tensor = where(
        wrap(size._data > maxnorm), maxnorm / (size + 1e-7), wrap(np.ones_like(size._data))
    )
    return input * factor


public("renorm")(fused("renorm", renorm))


@method("renorm_")
def renorm_(input: Tensor, p: float, dim: int, maxnorm: float) -> Tensor:
    """Slices along a dimension scaled down to a largest norm, in place."""
    return input.copy_(renorm(input.clone(), p, dim, maxnorm))
