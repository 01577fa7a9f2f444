"""Reading and writing where an index tensor or a mask says."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..backend.base import add_at, arange, array_like, astype, combine_at, full, put_at, zeros
from ..op import LINEAR, Op, op, variant
from ..tensor import Tensor, wrap
from .choose import data_of, where
from .core import cast_to, copy_, sum_to, zeros_of
from .index import _accumulated, getitem, index_array, index_put, index_row, overwritten
from .registry import method, public
from .shape import reshape_any, slice_, wrap_dim


def take_along(x: Any, dim: int, index: Any) -> Any:
    """Elements named by an index along one dimension."""
    return gather(x, dim, index)


def scatter_along(g: Any, shape: Any, dim: int, index: Any) -> Any:
    """Zeros of a shape with ``g`` added in where an index along one dimension says."""
    if isinstance(g, Tensor):
        return gather_back.apply(g, shape, dim, index)
    out = zeros(shape, g.dtype, g)
    add_at(out, along(index, dim), g)
    return out


def along(index: Any, dim: int) -> tuple[Any, ...]:
    """The advanced index for an index along one dimension."""
    if not index.ndim:
        return ()
    lines = [[-1 if k == d else 1 for k in range(index.ndim)] for d in range(index.ndim)]
    return tuple(
        index if d == dim else arange(n, index).reshape(lines[d]) for d, n in enumerate(index.shape)
    )


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
    put_at(out, along(index, dim), astype(fit(src, index), x.dtype))
    return out


def fit(src: Any, index: Any) -> Any:
    """The part of a source that an index of a smaller shape uses; a number as it is."""
    src = array_like(src, index)
    if not src.ndim and index.ndim:
        return np.broadcast_to(src, index.shape)
    return src[tuple(slice(n) for n in index.shape)]


def _scatter_add(x: Any, src: Any, dim: int, index: Any) -> Any:
    out = x.copy()
    add_at(out, along(index, dim), astype(fit(src, index), x.dtype))
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
    return np.where(mask, astype(array_like(value, x), x.dtype), x)


masked_fill: Op = op(
    "masked_fill(x, y, /, mask)",
    _masked_fill,
    LINEAR,
    x=lambda g, x_shape, mask: sum_to(masked_fill(g, 0, mask), x_shape),
    y=lambda g, y_shape, mask: sum_to(masked_fill(g, 0, np.logical_not(mask)), y_shape),
)


scatter_value = variant(scatter, "ScatterBackward1")
masked_fill_tensor = variant(masked_fill, "MaskedFillBackward1")
masked_select_row = variant(index_row, "MaskedSelectBackward0")
index_add_row = variant(index_put, "IndexAddBackward0")
index_copy_row = variant(index_put, "IndexCopyBackward0")
index_fill_row = variant(index_put, "IndexFillBackward0")
index_fill_tensor = variant(index_put, "IndexFillBackward1")
scatter_sum = variant(scatter_add, "ScatterReduceBackward0")


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
    if (input._data.ndim or 1) != (i.ndim or 1):
        raise RuntimeError(
            "[gather] index and input must have the same number of dimensions; got "
            f"{i.ndim} and {input.ndim}"
        )
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
    size = input._data.size
    i = int_index("take", index)
    if i.size and (i.min() < -size or i.max() >= size):
        raise IndexError(
            f"take(): out of range, expected indices within a tensor of {size} elements"
        )
    return take_row.apply(input, i)


take_row = op(
    "take(x, /, index)",
    lambda x, index: x.reshape(-1)[index],
    LINEAR,
    x=lambda g, x_shape, index: reshape_any(
        _accumulated(g, (int(np.prod(x_shape)),), (index,)), x_shape
    ),
)


@public("masked_select")
def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """Elements where a mask holds."""
    shape = np.broadcast_shapes(input._data.shape, mask._data.shape)
    if mask._data.dtype.kind != "b":
        raise RuntimeError(f"masked_select: expected BoolTensor for mask, got {mask.dtype}")
    at = np.nonzero(np.broadcast_to(mask._data, shape))
    return masked_select_row.apply(input.expand(shape), at)


@public("masked_fill")
def masked_fill_public(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """A value where a mask holds."""
    row = masked_fill_tensor if isinstance(value, Tensor) else masked_fill
    return row.apply(input, scalar(value), checked_mask(mask))


@method("masked_fill_")
def masked_fill_(self: Tensor, mask: Tensor, value: Any) -> Tensor:
    """A value where a mask holds, in place."""
    row = masked_fill_tensor if isinstance(value, Tensor) else masked_fill
    return row.inplace(self, scalar(value), checked_mask(mask))


def scalar(value: Any) -> Any:
    """A number or zero-dim tensor."""
    if isinstance(value, Tensor) and value._data.ndim:
        raise RuntimeError(
            "[masked_fill] the value must be a number or a 0-dim tensor; got shape "
            f"{list(value.shape)}"
        )
    return value


def checked_mask(mask: Tensor) -> Any:
    """A mask's array, copied."""
    if not isinstance(mask, Tensor) or mask._data.dtype.kind != "b":
        raise RuntimeError(
            f"[masked_fill] the mask must be of dtype bool; got {getattr(mask, 'dtype', mask)}"
        )
    return mask._data.copy()


def _pair(name: str, row: Any, order: Any, other: Any = None) -> None:
    """A function and its in-place twin with the same arguments.

    ``row`` is for a source that is a tensor, ``other`` for one that is a number.
    """

    def chosen(operands: Any) -> Any:
        return row if other is None or isinstance(operands[0], Tensor) else other

    def out(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        operands = order(input, *args, **kwargs)
        return chosen(operands).apply(input, *operands)  # type: ignore[no-any-return]

    def inplace(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        operands = order(self, *args, **kwargs)
        return chosen(operands).inplace(self, *operands)  # type: ignore[no-any-return]

    out.__doc__ = f"{name}: see the row of that name."
    inplace.__doc__ = f"{name} in place."
    public(name)(out)
    public(name + "_")(inplace)


def _scatter_args(what: str) -> Any:
    def order(x: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None) -> Any:
        d = wrap_dim(dim, x._data.ndim)
        i = int_index(what, index)
        if x._data.ndim:
            in_range(what, i, x._data.shape[d])
        return (value if src is None else src), d, i

    return order


def _rows(dim: int, index: Any) -> tuple[Any, ...]:
    return (slice(None),) * dim + (index,)


_pair("scatter", scatter, _scatter_args("scatter"), scatter_value)
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
    index_add_row,
    lambda x, dim, index, source, *, alpha=1: (
        source if alpha == 1 else source * alpha,
        _rows(wrap_dim(dim, x.ndim), int_index("index_add", index)),
        True,
    ),
)
_pair(
    "index_copy",
    index_copy_row,
    lambda x, dim, index, source: (
        source,
        _rows(wrap_dim(dim, x.ndim), int_index("index_copy", index)),
        False,
    ),
)
_pair(
    "index_fill",
    index_fill_tensor,
    lambda x, dim, index, value: (
        value,
        _rows(wrap_dim(dim, x.ndim), int_index("index_fill", index)),
        False,
    ),
    index_fill_row,
)


def _masked_put(x: Any, src: Any, mask: Any) -> Any:
    out = x.copy()
    full = np.broadcast_to(mask, x.shape)
    out[full] = src.reshape(-1)[: int(full.sum())]
    return out


def masked_source(g: Any, y_shape: Any, mask: Any) -> Any:
    """The gradient of a masked_scatter's source: the masked elements in order, then zeros."""
    from .scans import cat2

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
    if not input._data.ndim:
        return wrap(np.zeros((int(bool(input._data)), 0), np.int64))
    found = np.nonzero(input._data)
    return (
        tuple(wrap(i) for i in found)
        if as_tuple
        else wrap(np.stack(found, -1) if found else zeros((0, 0), np.int64, input._data))
    )


def _reduced(x: Any, src: Any, dim: int, index: Any, how: str, include_self: bool) -> Any:
    out = x.copy()
    at = along(index, dim)
    src = astype(fit(src, index), x.dtype)
    if not include_self:
        out[at] = {"sum": 0, "mean": 0, "prod": 1, "amax": -np.inf, "amin": np.inf}[how]
    ufunc = {
        "sum": np.add,
        "mean": np.add,
        "prod": np.multiply,
        "amax": np.maximum,
        "amin": np.minimum,
    }
    combine_at(ufunc[how], out, at, src)
    return out / _counts(x, at, include_self) if how == "mean" else out


def _counts(x: Any, at: Any, include_self: bool) -> Any:
    """How many values met at each place, at least one."""
    n = full(x.shape, 1, x.dtype, x)
    if not include_self:
        n[at] = 0
    add_at(n, at, full(np.broadcast_shapes(*(i.shape for i in at)), 1, x.dtype, x))
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
            start = index_put.apply(
                input, wrap(zeros((), input._data.dtype, input._data)), at, False
            )
        total = scatter_sum.apply(start, src, d, i)
        if reduce == "sum":
            return total
        return total / wrap(_counts(input._data, at, include_self))
    return reduce_row.apply(input, src, d, i, reduce, include_self)


def _ties(x: Any, out: Any) -> Any:
    return cast_to(x == out, data_of(out).dtype)


def constant(values: Any, beside: Any) -> Any:
    """An array as what stands beside it is: an array or a tensor."""
    return wrap(values) if isinstance(beside, Tensor) else values


def _untouched(x: Any, y: Any, dim: int, index: Any) -> Any:
    """One where the index sends nothing, else zero; an array."""
    sent = scatter_along(data_of(y) * 0 + 1, x.shape, dim, index)
    return astype(sent == 0, sent.dtype)


def _own(x: Any, y: Any, out: Any, dim: int, index: Any, include_self: bool) -> Any:
    """One where an element itself attains the extremum."""
    own = _ties(x, out)
    return own if include_self else own * constant(_untouched(x, y, dim, index), own)


def _share(x: Any, y: Any, out: Any, dim: int, index: Any, include_self: bool) -> Any:
    """One over the number of values that attain each extremum."""
    others = scatter_along(_ties(y, gather(out, dim, index)), x.shape, dim, index)
    return 1 / (_own(x, y, out, dim, index, include_self) + others)


def _without_zeros(x: Any, y: Any, dim: int, index: Any, include_self: bool) -> tuple[Any, Any]:
    """The product at each place without its zeros, and an array of how many these are."""
    no_x, no_y = data_of(x) == 0, data_of(y) == 0
    product = reduce_row(where(no_x, 1, x), where(no_y, 1, y), dim, index, "prod", include_self)
    zeros_there = scatter_along(astype(no_y, data_of(y).dtype), x.shape, dim, index)
    return product, zeros_there + no_x if include_self else zeros_there


def _reduce_x(
    g: Any, x: Any, y: Any, out: Any, dim: int, index: Any, how: str, include_self: bool
) -> Any:
    if how != "prod":
        own = _own(x, y, out, dim, index, include_self)
        return g * own * _share(x, y, out, dim, index, include_self)
    if not include_self:
        return g * constant(_untouched(x, y, dim, index), g)
    product, count = _without_zeros(x, y, dim, index, include_self)
    no_x = data_of(x) == 0
    return g * where(no_x, where(count == 1, product, 0), out / where(no_x, 1, x))


def _reduce_y(
    g: Any, x: Any, y: Any, out: Any, dim: int, index: Any, how: str, include_self: bool
) -> Any:
    if how != "prod":
        picked = gather(g * _share(x, y, out, dim, index, include_self), dim, index)
        return picked * _ties(y, gather(out, dim, index))
    product, count = _without_zeros(x, y, dim, index, include_self)
    no_y = data_of(y) == 0
    alone = gather(count, dim, index) == 1
    others = where(alone, gather(product, dim, index), 0)
    return gather(g, dim, index) * where(no_y, others, gather(out, dim, index) / where(no_y, 1, y))


reduce_row = op(
    "scatter_reduce(x, y, /, dim, index, how, include_self)",
    _reduced,
    x=_reduce_x,
    y=_reduce_y,
)


@method("scatter_reduce_")
def scatter_reduce_(
    self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """scatter_reduce in place."""
    old = self.clone()
    return copy_(self, scatter_reduce(old, dim, index, src, reduce, include_self=include_self))


@public("index_reduce")
def index_reduce(
    input: Tensor,
    dim: int,
    index: Tensor,
    source: Tensor,
    reduce: str,
    *,
    include_self: bool = True,
) -> Tensor:
    """Slices combined where an index says: prod, mean, amax or amin."""
    d = wrap_dim(dim, input._data.ndim)
    i = int_index("index_reduce", index)
    shape = [-1 if k == d else 1 for k in range(input._data.ndim)]
    full = wrap(np.broadcast_to(i.reshape(shape), source._data.shape).copy())
    return scatter_reduce(input, d, full, source, reduce, include_self=include_self)


def _put_flat(x: Any, y: Any, index: Any, accumulate: bool) -> Any:
    out = x.copy()
    flat = out.reshape(-1)
    if accumulate:
        np.add.at(flat, index, y.astype(x.dtype))
    else:
        flat[index] = y
    return flat.reshape(x.shape)


put_row = op(
    "put(x, y, /, index, accumulate)",
    _put_flat,
    LINEAR,
    x=lambda g, x_shape, index, accumulate: (
        g
        if accumulate
        else reshape_any(overwritten(reshape_any(g, (-1,)), (index.reshape(-1),)), x_shape)
    ),
    y=lambda g, index: take_row(g, index),
)
_pair(
    "put",
    put_row,
    lambda x, index, source, accumulate=False: (source, int_index("put", index), accumulate),
)
