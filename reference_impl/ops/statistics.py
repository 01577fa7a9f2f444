"""Statistics that are made of other operations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..tensor import Tensor, wrap
from .binary import lerp
from .choose import where
from .joins import stack_public
from .order import VALUES
from .reduce import dims_of
from .registry import FUNCTIONS, public
from .return_types import NamedResult, named_result
from .shape import wrap_dim

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


@public("logcumsumexp")
def logcumsumexp(input: Tensor, dim: int) -> Tensor:
    """log of the running sum of exponentials, shifted by the largest element."""
    top = wrap(np.nan_to_num(input._data.max(axis=dim, keepdims=True), neginf=0.0, posinf=0.0))
    return ((input - top).exp().cumsum(dim)).log() + top


@public("trapezoid", "trapz")
def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """The integral by the trapezoidal rule."""
    d = wrap_dim(dim, y._data.ndim)
    n = y._data.shape[d]
    means = (y.narrow(d, 1, n - 1) + y.narrow(d, 0, n - 1)) / 2
    if x is None:
        return means.sum(d) * dx
    steps = FUNCTIONS["diff"](x)
    shape = [-1 if k == d else 1 for k in range(y._data.ndim)]
    total: Tensor = (means * (steps.reshape(shape) if x._data.ndim == 1 else steps)).sum(d)
    return total


MODE = named_result("mode", *VALUES)


@public("mode")
def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> NamedResult:
    """The most frequent element, the smallest among ties, with the last place where it stands."""
    d = wrap_dim(dim, input._data.ndim)

    def last_of_most_frequent(row: Any) -> Any:
        values, counts = np.unique(row, return_counts=True)
        return np.flatnonzero(row == values[counts.argmax()])[-1]

    at = np.expand_dims(np.apply_along_axis(last_of_most_frequent, d, input._data), d)
    values, indices = input.gather(d, wrap(at)), wrap(at)
    return MODE((values, indices) if keepdim else (values.squeeze(d), indices.squeeze(d)))


def interpolated(ordered: Tensor, q: float, interpolation: str, valid: Any) -> Tensor:
    """A quantile of sorted vectors (the last dimension), of each of which so many elements count."""
    place = q * (valid - 1)
    low, high = np.floor(place), np.ceil(place)
    weights = {"linear": place - low, "lower": low - low, "higher": high - low,
               "midpoint": (high - low) / 2, "nearest": np.round(place) - low}  # fmt: skip

    def picked(at: Any) -> Tensor:
        index = np.maximum(at, 0).astype(np.int64)[..., None]
        return ordered.gather(-1, wrap(index)).squeeze(-1)

    weight = np.asarray(weights[interpolation], ordered._data.dtype)
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


def quantiles(
    input: Tensor, q: Any, dim: int | None, keepdim: bool, interpolation: str, skip_nan: bool
) -> Tensor:
    """Both kinds of quantile."""
    x = input.reshape(-1) if dim is None else input.movedim(dim, -1)
    ordered = x.sort(-1)[0]
    nans = np.isnan(x._data).sum(-1)
    valid = x._data.shape[-1] - (nans if skip_nan else 0 * nans)
    if not skip_nan and nans.any():
        spoilt = np.broadcast_to((nans > 0)[..., None], x._data.shape)
        ordered = where(wrap(spoilt), math.nan, ordered)
    shares = q._data if isinstance(q, Tensor) else np.asarray(q)
    results = [interpolated(ordered, float(v), interpolation, valid) for v in shares.reshape(-1)]
    if keepdim:
        places = range(input._data.ndim) if dim is None else [wrap_dim(dim, input._data.ndim)]
        for d in places:
            results = [r.unsqueeze(d) for r in results]
    return results[0] if not shares.ndim else stack_public(results)


@public("nanmean")
def nanmean(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """The mean of what is not NaN."""
    valid = ~np.isnan(input._data)
    count = wrap(
        valid.sum(axis=dims_of(dim, input._data.ndim), keepdims=keepdim).astype(input._data.dtype)
    )
    return input.nansum(dim, keepdim) / count


@public("nanmedian")
def nanmedian(input: Tensor) -> Tensor:
    """The median of what is not NaN."""
    valid = ~np.isnan(input._data)
    return input[wrap(valid)].median()


@public("cov")
def cov(input: Tensor, *, correction: int = 1) -> Tensor:
    """Covariances of rows."""
    x = input if input._data.ndim == 2 else input.reshape(1, -1)
    centred = x - x.mean(1, keepdim=True)
    out: Tensor = centred @ centred.t().conj() / (x._data.shape[1] - correction)
    return out if input._data.ndim == 2 else out.squeeze()


@public("corrcoef")
def corrcoef(input: Tensor) -> Tensor:
    """Correlations of rows, limited to [-1, 1]."""
    c = cov(input)
    scale = c.diagonal().sqrt()
    scaled: Tensor = c / scale.unsqueeze(1) / scale.unsqueeze(0)
    return scaled.clamp(-1, 1)


@public("renorm")
def renorm(input: Tensor, p: float, dim: int, maxnorm: float) -> Tensor:
    """Slices along a dimension scaled down to a largest norm."""
    d = wrap_dim(dim, input._data.ndim)
    others = tuple(k for k in range(input._data.ndim) if k != d)
    size = input.norm(p, others, keepdim=True)
    factor: Tensor = where(
        wrap(size._data > maxnorm), maxnorm / (size + 1e-7), wrap(np.ones_like(size._data))
    )
    return input * factor
