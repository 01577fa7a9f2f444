"""Reading and writing where an index tensor or a mask says."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..op import LINEAR, Op, op
from ..tensor import Tensor, wrap
from .core import copy_, sum_to, zeros_of
from .index import _accumulated, getitem, index_array, index_put, index_row, overwritten
from .registry import method, public
from .shape import slice_, wrap_dim


def take_along(x: Any, dim: int, index: Any) -> Any:
    """Elements named by an index along one dimension."""
    return gather(x, dim, index)


def scatter_along(g: Any, shape: Any, dim: int, index: Any) -> Any:
    """Zeros of a shape with ``g`` added in where an index along one dimension says."""
    if isinstance(g, Tensor):
        return gather_back.apply(g, shape, dim, index)
    out = np.zeros(shape, g.dtype)
    np.add.at(out, along(index, dim), g)
    return out


def along(index: Any, dim: int) -> tuple[Any, ...]:
    """The advanced index for an index along one dimension."""
    if not index.ndim:
        return ()
    grid = list(np.ogrid[tuple(slice(n) for n in index.shape)])
    grid[dim] = index
    return tuple(grid)


gather = op(
    "gather(x, /, dim, index)",
    lambda x, dim, index: x[along(index, dim)] if x.ndim else x.copy(),
    LINEAR,
    x=lambda g, x_shape, dim, index: scatter_along(g, x_shape, dim, index),
)
gather_back = op(
    "gather_backward(x, /, shape, dim, index)",
    scatter_along,
    LINEAR,
    x=lambda g, dim, index: gather(g, dim, index),
)


def _scatter(x: Any, src: Any, dim: int, index: Any) -> Any:
    out = x.copy()
    out[along(index, dim)] = fit(src, index).astype(x.dtype)
    return out


def fit(src: Any, index: Any) -> Any:
    """The part of a source that an index of a smaller shape uses; a number as it is."""
    src = np.asarray(src)
    if not src.ndim and index.ndim:
        return np.broadcast_to(src, index.shape)
    return src[tuple(slice(n) for n in index.shape)]


def _scatter_add(x: Any, src: Any, dim: int, index: Any) -> Any:
    out = x.copy()
    np.add.at(out, along(index, dim), fit(src, index).astype(x.dtype))
    return out


def source_rule(g: Any, dim: int, index: Any, y_shape: Any) -> Any:
    """The gradient of a scattered source."""
    picked = gather(g, dim, index)
    if tuple(picked.shape) == tuple(y_shape):
        return picked
    return sum_to(picked, y_shape) if not y_shape else _pad_to(picked, y_shape)


def _pad_to(x: Any, shape: Any) -> Any:
    from .shape import _place

    for d, n in enumerate(shape):
        if x.shape[d] != n:
            full = (*x.shape[:d], n, *x.shape[d + 1 :])
            x = _place(x, full, slice_, d, slice(0, x.shape[d]))
    return x


scatter = op(
    "scatter(x, y, /, dim, index)",
    _scatter,
    LINEAR,
    x=lambda g, dim, index: overwritten(g, along(index, dim)),
    y=source_rule,
)
scatter_add = op(
    "scatter_add(x, y, /, dim, index)", _scatter_add, LINEAR, x=lambda g: g, y=source_rule
)


def masked(g: Any, mask: Any) -> Any:
    """``g`` with zeros where a mask holds."""
    return g * np.logical_not(mask) if not isinstance(g, Tensor) else masked_fill(g, 0, mask)


def _masked_fill(x: Any, value: Any, mask: Any) -> Any:
    return np.where(mask, np.asarray(value).astype(x.dtype), x)


masked_fill: Op = op(
    "masked_fill(x, y, /, mask)",
    _masked_fill,
    LINEAR,
    x=lambda g, x_shape, mask: sum_to(masked_fill(g, 0, mask), x_shape),
    y=lambda g, y_shape, mask: sum_to(masked_fill(g, 0, np.logical_not(mask)), y_shape),
)


# -- public ----------------------------------------------------------------------------------------


def int_index(what: str, index: Tensor) -> Any:
    """An index tensor's array, copied so that later writes do not reach the graph.

    Raises:
        RuntimeError: not of an integer dtype.
    """
    if not isinstance(index, Tensor):
        raise TypeError(f"{what}(): argument 'index' must be Tensor, not {type(index).__name__}")
    if index._data.dtype.kind not in "iu":
        raise RuntimeError(f"{what}(): Expected dtype int64 for index, got {index.dtype}")
    return index._data.copy()


def in_range(what: str, index: Any, size: int) -> Any:
    """Refuse an index outside a dimension."""
    if index.size and (index.min() < 0 or index.max() >= size):
        raise RuntimeError(f"{what}(): index out of bounds for dimension with size {size}")
    return index


@public("gather")
def gather_public(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False) -> Tensor:
    """Elements that an index names along one dimension."""
    d = wrap_dim(dim, input._data.ndim)
    i = int_index("gather", index)
    if input._data.ndim:
        in_range("gather", i, input._data.shape[d])
    return gather.apply(input, d, i)


@public("take_along_dim")
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """Elements that an index names along one dimension, broadcast."""
    if dim is None:
        return gather_public(input.reshape(-1), 0, indices.reshape(-1))
    d = wrap_dim(dim, input._data.ndim)
    shape = list(
        np.broadcast_shapes(
            [1 if k == d else n for k, n in enumerate(input._data.shape)],
            [1 if k == d else n for k, n in enumerate(indices._data.shape)],
        )
    )
    own, other = list(shape), list(shape)
    own[d], other[d] = input._data.shape[d], indices._data.shape[d]
    return gather_public(input.expand(own), d, indices.expand(other))


@public("index_select")
def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Indices of one dimension."""
    d = wrap_dim(dim, input._data.ndim)
    i = in_range(
        "index_select",
        int_index("index_select", index),
        input._data.shape[d] if input._data.ndim else 1,
    )
    return select_row.apply(input, d, np.atleast_1d(i))


def _select_back(g: Any, shape: Any, dim: int, index: Any) -> Any:
    return _accumulated(g, shape, (slice(None),) * dim + (index,))


select_row = op(
    "index_select(x, /, dim, index)",
    lambda x, dim, i: np.take(x, i, dim),
    LINEAR,
    x=lambda g, x_shape, dim, index: _select_back(g, x_shape, dim, index),
)


@public("take")
def take(input: Tensor, index: Tensor) -> Tensor:
    """Elements of the flattened input."""
    return getitem(input.reshape(-1), wrap(int_index("take", index)))


@public("masked_select")
def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """Elements where a mask holds."""
    shape = np.broadcast_shapes(input._data.shape, mask._data.shape)
    return getitem(input.expand(shape), mask.expand(shape))


@public("masked_fill")
def masked_fill_public(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """A value where a mask holds."""
    return masked_fill.apply(input, scalar(value), checked_mask(mask))


@method("masked_fill_")
def masked_fill_(self: Tensor, mask: Tensor, value: Any) -> Tensor:
    """A value where a mask holds, in place."""
    return masked_fill.inplace(self, scalar(value), checked_mask(mask))


def scalar(value: Any) -> Any:
    """A number or zero-dim tensor."""
    if isinstance(value, Tensor) and value._data.ndim:
        raise RuntimeError(
            "masked_fill only supports a 0-dimensional value tensor, but got tensor with "
            f"{value.ndim} dims"
        )
    return value


def checked_mask(mask: Tensor) -> Any:
    """A mask's array, copied."""
    if not isinstance(mask, Tensor) or mask._data.dtype.kind != "b":
        raise RuntimeError(
            f"masked_fill only supports boolean masks, but got mask {getattr(mask, 'dtype', mask)}"
        )
    return mask._data.copy()


def _pair(name: str, row: Any, order: Any) -> None:
    """A function and its in-place twin with the same arguments."""

    def out(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return row.apply(input, *order(input, *args, **kwargs))  # type: ignore[no-any-return]

    def inplace(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return row.inplace(self, *order(self, *args, **kwargs))  # type: ignore[no-any-return]

    out.__doc__ = f"{name}: see the row of that name."
    inplace.__doc__ = f"{name} in place."
    public(name)(out)
    public(name + "_")(inplace)


def _scatter_args(what: str) -> Any:
    def order(x: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None) -> Any:
        return (value if src is None else src), wrap_dim(dim, x._data.ndim), int_index(what, index)

    return order


def _rows(dim: int, index: Any) -> tuple[Any, ...]:
    return (slice(None),) * dim + (index,)


_pair("scatter", scatter, _scatter_args("scatter"))
_pair("scatter_add", scatter_add, _scatter_args("scatter_add"))
_pair(
    "index_put",
    index_put,
    lambda x, indices, values, accumulate=False: (
        values,
        tuple(index_array(i) for i in indices),
        accumulate,
    ),
)
_pair(
    "index_add",
    index_put,
    lambda x, dim, index, source, *, alpha=1: (
        source if alpha == 1 else source * alpha,
        _rows(wrap_dim(dim, x.ndim), int_index("index_add", index)),
        True,
    ),
)
_pair(
    "index_copy",
    index_put,
    lambda x, dim, index, source: (
        source,
        _rows(wrap_dim(dim, x.ndim), int_index("index_copy", index)),
        False,
    ),
)
_pair(
    "index_fill",
    index_put,
    lambda x, dim, index, value: (
        value,
        _rows(wrap_dim(dim, x.ndim), int_index("index_fill", index)),
        False,
    ),
)


def _masked_put(x: Any, src: Any, mask: Any) -> Any:
    out = x.copy()
    full = np.broadcast_to(mask, x.shape)
    out[full] = src.reshape(-1)[: int(full.sum())]
    return out


def masked_source(g: Any, y_shape: Any, mask: Any) -> Any:
    """The gradient of a masked_scatter's source: the masked elements in order, then zeros."""
    from .scans import cat2
    from .shape import reshape_any

    full = (np.broadcast_to(mask, g.shape),)
    part = index_row(g, full)
    n = int(np.prod(y_shape))
    rest = zeros_of(part, (n - part.shape[0],))
    return reshape_any(cat2(part, rest, 0), y_shape)


masked_scatter = op(
    "masked_scatter(x, y, /, mask)",
    _masked_put,
    LINEAR,
    x=lambda g, mask: masked_fill(g, 0, mask),
    y=masked_source,
)
_pair("masked_scatter", masked_scatter, lambda x, mask, source: (source, checked_mask(mask)))


def _scattered(name: str, write: Any) -> None:
    def fn(input: Tensor, src: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        out = input.clone()
        copy_(write(out, *args, **kwargs), src)
        return out

    fn.__doc__ = f"A copy of the input with ``src`` written where the view ``{name}`` looks."
    public(name + "_scatter")(fn)


_scattered("select", lambda x, dim, index: x.select(dim, index))
_scattered(
    "slice",
    lambda x, dim=0, start=None, end=None, step=1: getitem(
        x, (slice(None),) * wrap_dim(dim, x.ndim) + (slice(start, end, step),)
    ),
)
_scattered("diagonal", lambda x, offset=0, dim1=0, dim2=1: x.diagonal(offset, dim1, dim2))


@public("nonzero")
def nonzero(input: Tensor, as_tuple: bool = False) -> Any:
    """Where elements are not zero."""
    found = np.nonzero(input._data)
    return (
        tuple(wrap(i) for i in found)
        if as_tuple
        else wrap(np.stack(found, -1) if found else np.zeros((0, 0), np.int64))
    )


def _reduced(x: Any, src: Any, dim: int, index: Any, how: str, include_self: bool) -> Any:
    out = x.copy()
    at = along(index, dim)
    src = fit(src, index).astype(x.dtype)
    if not include_self:
        out[at] = {"sum": 0, "mean": 0, "prod": 1, "amax": -np.inf, "amin": np.inf}[how]
    ufunc = {
        "sum": np.add,
        "mean": np.add,
        "prod": np.multiply,
        "amax": np.maximum,
        "amin": np.minimum,
    }
    ufunc[how].at(out, at, src)
    return out / _counts(x, at, include_self) if how == "mean" else out


def _counts(x: Any, at: Any, include_self: bool) -> Any:
    """How many values met at each place, at least one."""
    n = np.ones(x.shape, x.dtype)
    if not include_self:
        n[at] = 0
    np.add.at(n, at, 1)
    return np.maximum(n, 1)


@public("scatter_reduce")
def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """Values combined where an index along one dimension says: sum, prod, mean, amax or amin."""
    d = wrap_dim(dim, input._data.ndim)
    i = int_index("scatter_reduce", index)
    at = along(i, d)
    if reduce == "sum" or reduce == "mean":
        start = input
        if not include_self:
            start = index_put.apply(input, wrap(np.zeros((), input._data.dtype)), at, False)
        total = scatter_add.apply(start, src, d, i)
        if reduce == "sum":
            return total
        return total / wrap(_counts(input._data, at, include_self))
    return reduce_row.apply(input, src, d, i, reduce, include_self)


def _ties(x: Any, out: Any) -> Any:
    from .choose import data_of
    from .core import cast_to

    return cast_to(x == out, data_of(out).dtype)


def _share(x: Any, y: Any, out: Any, dim: int, index: Any) -> Any:
    """One over the number of values that attain each extremum."""
    return 1 / (
        _ties(x, out) + scatter_along(_ties(y, gather(out, dim, index)), x.shape, dim, index)
    )


def _reduce_x(g: Any, x: Any, y: Any, out: Any, dim: int, index: Any, how: str) -> Any:
    if how == "prod":
        return g * (out / x)
    return g * _ties(x, out) * _share(x, y, out, dim, index)


def _reduce_y(g: Any, x: Any, y: Any, out: Any, dim: int, index: Any, how: str) -> Any:
    if how == "prod":
        return gather(g * out, dim, index) / y
    picked = gather(g * _share(x, y, out, dim, index), dim, index)
    return picked * _ties(y, gather(out, dim, index))


reduce_row = op(
    "scatter_reduce(x, y, /, dim, index, how, include_self)",
    _reduced,
    x=_reduce_x,
    y=_reduce_y,
)


@public("put")
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Elements of the flattened tensor replaced."""
    flat = input.reshape(-1)
    i = int_index("put", index)
    return index_put.apply(flat, source.reshape(-1), (i.reshape(-1),), accumulate).reshape(
        input._data.shape
    )
