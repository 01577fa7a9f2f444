"""Running sums and products, and the products whose derivatives are made of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import DType
from ..op import LINEAR, Op, op
from ..tensor import Tensor
from .choose import data_of
from .core import expand, zeros_of
from .rearrange import flip
from .reduce import keep, prepared
from .registry import method, public
from .shape import reshape_any, wrap_dim


def prod_rule(g: Any, x: Any, dim: Any) -> Any:
    """For each element the product of the others, exact at zeros: from the left times from the
    right."""
    shape = tuple(x.shape)
    if dim is None:
        if data_of(x).all():
            return g * (product(x) / x)
        return reshape_any(prod_rule(g, reshape_any(x, (-1,)), 0), shape)
    if not shape:
        return g
    n = shape[dim]
    one = ones_like_slice(x, dim)
    left = cumprod_raw(cat2(one, cut(x, dim, 0, n - 1), dim), dim)
    right = flip(cumprod_raw(cat2(one, cut(flip(x, (dim,)), dim, 0, n - 1), dim), dim), (dim,))
    return expand(g if g.ndim == x.ndim else keep(g, shape, (dim,)), shape) * (left * right)


def product(x: Any) -> Any:
    """The product of all elements."""
    return prod(x, None)


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
    from .joins import cat

    return cat([a, b], dim)


def cumprod_raw(x: Any, dim: int) -> Any:
    """The running product."""
    return cumprod(x, dim)


def running(ufunc: Any, x: Any, dim: int) -> Any:
    """The running result of a ufunc; single precision is accumulated in double."""
    if not x.ndim:
        return x.copy()
    if isinstance(x, np.ndarray):
        wide = {"f": np.float64, "F": np.complex128, "e": np.float32}.get(x.dtype.char)
        return ufunc.accumulate(x, axis=dim, dtype=wide).astype(x.dtype, copy=False)
    return x.cumsum(axis=dim) if ufunc is np.add else x.cumprod(axis=dim)


prod = op("prod(x, /, dim)", lambda x, dim: x.prod(axis=dim), x=prod_rule)
prod_dim = op(
    "prod(x, /, dim, keepdim)",
    lambda x, dim, keepdim: x.prod(axis=dim, keepdims=keepdim),
    node="ProdBackward1",
    x=lambda g, x, dim: prod_rule(g, x, dim),
)
cumsum: Op = op(
    "cumsum(x, /, dim)",
    lambda x, dim: running(np.add, x, dim),
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


cumprod = op("cumprod(x, /, dim)", lambda x, dim: running(np.multiply, x, dim), x=cumprod_rule)


@public("prod")
def prod_public(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """The product of all elements or over one dimension."""
    x = prepared("prod", input, dtype)
    if dim is None:
        return prod.apply(x, None)
    if not x._data.ndim:
        return prod.apply(x, None)
    return prod_dim.apply(x, wrap_dim(dim, x._data.ndim), keepdim)


@public("cumsum")
def cumsum_public(input: Tensor, dim: int, *, dtype: DType | None = None) -> Tensor:
    """The running sum."""
    return cumsum.apply(prepared("cumsum", input, dtype), wrap_dim(dim, input._data.ndim))


@public("cumprod")
def cumprod_public(input: Tensor, dim: int, *, dtype: DType | None = None) -> Tensor:
    """The running product."""
    return cumprod.apply(prepared("cumprod", input, dtype), wrap_dim(dim, input._data.ndim))


@method("cumsum_")
def cumsum_(self: Tensor, dim: int) -> Tensor:
    """The running sum, in place."""
    return cumsum.inplace(self, wrap_dim(dim, self._data.ndim))


@method("cumprod_")
def cumprod_(self: Tensor, dim: int) -> Tensor:
    """The running product, in place."""
    return cumprod.inplace(self, wrap_dim(dim, self._data.ndim))


@public("diff")
def diff(
    input: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Differences of neighbours, with something before or after them where it is given."""
    d = wrap_dim(dim, input._data.ndim)
    if prepend is not None:
        input = cat2(prepend, input, d)
    if append is not None:
        input = cat2(input, append, d)
    for _ in range(n):
        size = input._data.shape[d]
        input = cut(input, d, 1, size) - cut(input, d, 0, size - 1)
    return input
