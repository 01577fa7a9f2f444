"""Running sums and products, and the products whose derivatives are made of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend.base import has_values
from ..backend.dtypes import DType, array_dtype
from ..graph.row import HOLOMORPHIC, LINEAR
from ..tensor.tensor import Tensor
from .choose import data_of
from .core import cast_to, copy_, expand, zeros_of
from .dims import wrap_dim
from .joins import cat
from .op import Op, op
from .rearrange import flip
from .reduce import keep, prepared
from .registry import FUNCTIONS, method, public
from .shape import reshape_any, slice_


def prod_rule(g: Any, x: Any, out: Any, dim: Any) -> Any:
    """For each element the product of the others, exact at zeros: from the left times from the
    right."""
    shape = tuple(x.shape)
    if dim is None:
        if not has_values(data_of(x)) or data_of(x).all():
            return g * (out / x)
        return reshape_any(prod_rule(g, reshape_any(x, (-1,)), out, 0), shape)
    if not shape:
        return g
    left = products_before(x, dim)
    right = flip(products_before(flip(x, (dim,)), dim), (dim,))
    return expand(g if g.ndim == x.ndim else keep(g, shape, (dim,)), shape) * (left * right)


def ones_like_slice(x: Any, dim: int) -> Any:
    """Ones in the shape of one index of a dimension, kept."""
    shape = tuple(min(n, 1) if i == dim else n for i, n in enumerate(x.shape))
    return zeros_of(x, shape) + 1


def cut(x: Any, dim: int, start: int, stop: int) -> Any:
    """A range of a dimension."""
    return slice_(x, dim, slice(start, max(stop, 0)))


def cat2(a: Any, b: Any, dim: int) -> Any:
    """Two arrays or tensors joined."""
    return cat([a, b], dim)


def products_before(x: Any, dim: int) -> Any:
    """For each index of a dimension the product of those before it."""
    before = cut(x, dim, 0, x.shape[dim] - 1)
    return cumprod(cat2(ones_like_slice(x, dim), before, dim), dim)


def running(ufunc: Any, x: Any, dim: int) -> Any:
    """The running result of a ufunc; single precision is accumulated in double."""
    if not x.ndim:
        return x.copy()
    wide = {"f": np.float64, "F": np.complex128, "e": np.float32}.get(getattr(x.dtype, "char", ""))
    if isinstance(x, np.ndarray):
        out = ufunc.accumulate(x, axis=dim, dtype=wide)
    else:
        run = x.cumsum if ufunc is np.add else x.cumprod
        out = run(axis=dim) if wide is None else run(axis=dim, dtype=wide)
    return out.astype(x.dtype, copy=False)


prod = op("prod(x, /, dim)", lambda x, dim: x.prod(axis=dim), HOLOMORPHIC, x=prod_rule)
prod_dim = op(
    "prod(x, /, dim, keepdim)",
    lambda x, dim, keepdim: x.prod(axis=dim, keepdims=keepdim),
    HOLOMORPHIC,
    node="ProdBackward1",
    x=lambda g, x, out, dim: prod_rule(g, x, out, dim),
)
cumsum: Op = op(
    "cumsum(x, /, dim)",
    lambda x, dim: running(np.add, x, dim),
    LINEAR,
    x=lambda g, dim: flip(cumsum(flip(g, (dim,)), dim), (dim,)) if g.ndim else g,
)


def cumprod_rule(g: Any, x: Any, dim: int) -> Any:
    """The product of what stands before x_i, times the sum over k >= i of g_k and the product of what
    stands between x_i and x_k inclusive of x_k: without a division, so that zeros are exact."""
    if not x.ndim:
        return g
    if 0 in x.shape:
        return zeros_of(x)
    after = cat2(cut(x, dim, 1, x.shape[dim]), ones_like_slice(x, dim), dim)
    return products_before(x, dim) * weighted_rest(g, after, dim)


def weighted_rest(g: Any, a: Any, dim: int) -> Any:
    """s_i = g_i + a_i s_{i+1} along a dimension, from its end: after each round what a sum takes in
    reaches twice as far."""
    n, reach = a.shape[dim], 1
    while reach < n:
        near, far = (0, n - reach), (reach, n)
        factor = cut(a, dim, *near)
        g = cat2(cut(g, dim, *near) + factor * cut(g, dim, *far), cut(g, dim, n - reach, n), dim)
        a = cat2(factor * cut(a, dim, *far), cut(a, dim, n - reach, n), dim)
        reach *= 2
    return g


cumprod: Op = op(
    "cumprod(x, /, dim)",
    lambda x, dim: running(np.multiply, x, dim),
    HOLOMORPHIC,
    x=lambda g, x, out, dim: cumprod_rule(g, x, dim),  # the result is guarded, as in PyTorch
)


@public("prod")
def prod_public(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """The product of all elements or over one dimension."""
    x = prepared("prod", input, dtype)
    if dim is None:
        out = prod.apply(x, None)
    else:
        d = wrap_dim(dim, x._data.ndim)
        out = prod_dim.apply(x, d if x._data.ndim else None, keepdim)
    return out if dtype is None else cast_to(out, array_dtype(dtype))


@public("cumsum")
def cumsum_public(input: Tensor, dim: int, *, dtype: DType | None = None) -> Tensor:
    """The running sum."""
    out = cumsum.apply(prepared("cumsum", input, dtype), wrap_dim(dim, input._data.ndim))
    return out if dtype is None else cast_to(out, array_dtype(dtype))


@public("cumprod")
def cumprod_public(input: Tensor, dim: int, *, dtype: DType | None = None) -> Tensor:
    """The running product."""
    out = cumprod.apply(prepared("cumprod", input, dtype), wrap_dim(dim, input._data.ndim))
    return out if dtype is None else cast_to(out, array_dtype(dtype))


@method("cumsum_")
def cumsum_(self: Tensor, dim: int) -> Tensor:
    """The running sum, in place."""
    d = wrap_dim(dim, self._data.ndim)
    return cumsum.inplace(no_bools_with_dims("cumsum_", self), d)


@method("cumprod_")
def cumprod_(self: Tensor, dim: int) -> Tensor:
    """The running product, in place."""
    d = wrap_dim(dim, self._data.ndim)
    return cumprod.inplace(no_bools_with_dims("cumprod_", self), d)


def no_bools_with_dims(what: str, x: Tensor) -> Tensor:
    """Refuse bools, whose running results are no bools; a single one stays as it is."""
    if x._data.dtype.kind == "b" and x._data.ndim:
        raise errors.unsupported_dtype(what, x.dtype)
    return x


@public("diff")
def diff(
    input: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Differences of neighbours, with something before or after them where it is given."""
    if not input._data.ndim:
        raise errors.wrong_shape(
            "diff(): a 0-dim tensor has no neighbours; it needs at least 1 dimension"
        )
    if n < 0:
        raise errors.wrong_value(f"diff(): the order must not be negative; got {n}", RuntimeError)
    d = wrap_dim(dim, input._data.ndim)
    if not n:
        return copy_(zeros_of(input), input)
    if prepend is not None:
        input = FUNCTIONS["cat"]([prepend, input], d)
    if append is not None:
        input = FUNCTIONS["cat"]([input, append], d)
    if not input._data.shape[d]:
        return input
    for _ in range(min(n, input._data.shape[d])):
        size = input._data.shape[d]
        later, earlier = cut(input, d, 1, size), cut(input, d, 0, size - 1)
        input = later ^ earlier if input._data.dtype.kind == "b" else later - earlier
    return input
