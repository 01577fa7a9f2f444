"""Reading and writing where an index tensor or a mask says."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend.base import add_at, arange, array_like, astype, has_values, put_at, zeros
from ..backend.dtypes import checked_number
from ..errors import shapes_mismatch
from ..graph.row import KEEPS_LAYOUT, LINEAR, OVERLAP_DEPRECATED, READS_FIRST
from ..tensor.tensor import Tensor, wrap
from .core import expand, sum_to, zeros_of
from .dims import needs_tensor, own_dim, wrap_dim
from .index import _accumulated, index_row, overwritten
from .op import Op, op, variant
from .registry import method, public
from .scans import cat2
from .shape import _place, reshape_any, slice_


def scatter_along(g: Any, shape: Any, dim: int, index: Any) -> Any:
    """Zeros of a shape with ``g`` added in where an index along one dimension says."""
    if isinstance(g, Tensor):
        return gather_back.apply(g, shape, dim, index)
    out = zeros(shape, g.dtype, g)
    if not shape:
        out[...] = g.sum()
        return out
    add_at(out, along(index, dim) or (index,), g)
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
    lambda x, dim, index: (
        x[along(index, dim) or (index,)] if x.ndim else np.broadcast_to(x, index.shape).copy()
    ),
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
    return sum_to(picked, y_shape) if not y_shape else padded_to(picked, y_shape)


def padded_to(x: Any, shape: Any) -> Any:
    """What stands in a corner of zeros of a shape."""
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


def _masked_fill(x: Any, value: Any, mask: Any) -> Any:
    return np.where(mask, astype(array_like(value, x), x.dtype), x)


masked_fill: Op = op(
    "masked_fill(x, y, /, mask)",
    _masked_fill,
    LINEAR | KEEPS_LAYOUT | OVERLAP_DEPRECATED | READS_FIRST,
    x=lambda g, x_shape, mask: sum_to(masked_fill(g, 0, mask), x_shape),
    y=lambda g, y_shape, mask: sum_to(masked_fill(g, 0, np.logical_not(mask)), y_shape),
)


masked_fill_tensor = variant(masked_fill, "MaskedFillBackward1")
masked_select_row = variant(index_row, "MaskedSelectBackward0")

# -- public ----------------------------------------------------------------------------------------


def int_index(what: str, index: Tensor) -> Any:
    """An index tensor's array, copied so that later writes do not reach the graph.

    Raises:
        TypeError: no tensor.
        RuntimeError: neither of dtype int64 nor, in what only reads or combines, of int32.
    """
    needs_tensor(what, "index", index)
    wide = index._data.dtype == np.int64
    if not wide and (what in LONG_ALONE or index._data.dtype != np.int32):
        raise errors.wrong_dtype(f"{what}(): Expected dtype int64 for index, got {index.dtype}")
    return index._data.copy()


LONG_ALONE = ("take", "put", "index_copy", "index_fill")


def in_range(
    what: str,
    index: Any,
    size: int,
    refusal: type[Exception] = RuntimeError,
    negative: bool = False,
) -> Any:
    """Refuse an index outside a dimension; ``negative``: it may count from the end."""
    if has_values(index) and (index.min() < (-size if negative else 0) or index.max() >= size):
        raise errors.wrong_index(
            f"{what}(): index out of bounds for dimension with size {size}", refusal
        )
    return index


@public("gather")
def gather_public(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False) -> Tensor:
    """Elements that an index names along one dimension."""
    d = wrap_dim(dim, input._data.ndim)
    i = int_index("gather", index)
    if (input._data.ndim or 1) != (i.ndim or 1):
        raise errors.wrong_shape(
            "gather(): index and input must have the same number of dimensions; got "
            f"{i.ndim} and {input.ndim}"
        )
    sizes = zip(i.shape, input._data.shape, strict=False)
    if any(n > limit for k, (n, limit) in enumerate(sizes) if k != d):
        raise errors.wrong_shape(
            f"gather(): expected an index no larger than the input {list(input.shape)} except along "
            f"dim {d}; got {list(i.shape)}"
        )
    in_range("gather", i, input._data.shape[d] if input._data.ndim else 1)
    return gather.apply(input, d, i)


@public("take_along_dim")
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """Elements that an index names along one dimension, broadcast."""
    if dim is None:
        return gather_public(input.reshape(-1), 0, indices.reshape(-1))
    d = own_dim(dim, input._data.ndim)
    if input._data.ndim != indices._data.ndim:
        raise errors.wrong_shape(
            "take_along_dim(): expected as many dimensions in the index as in the input; got "
            f"{indices.ndim} and {input.ndim}"
        )
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
    i = np.atleast_1d(int_index("index_select", index))
    if i.ndim > 1:
        raise errors.wrong_index(
            f"index_select(): the index must be a vector; got shape {list(index.shape)}"
        )
    if not input._data.ndim and i.size != 1:
        raise errors.wrong_shape(
            f"index_select(): the index to a 0-dim tensor must be one value; got {i.size}"
        )
    kind = IndexError if input._data.ndim < 2 or (d == 0 and input._data.size) else RuntimeError
    in_range("index_select", i, input._data.shape[d] if input._data.ndim else 1, kind)
    return select_row.apply(input, d, i)


def _select_back(g: Any, shape: Any, dim: int, index: Any) -> Any:
    return _accumulated(g, shape, (slice(None),) * dim + (index,)) if shape else g


select_row = op(
    "index_select(x, /, dim, index)",
    lambda x, dim, i: np.take(x, i, dim) if x.ndim else x.copy(),
    LINEAR,
    x=lambda g, x_shape, dim, index: _select_back(g, x_shape, dim, index),
)


@public("take")
def take(input: Tensor, index: Tensor) -> Tensor:
    """Elements of the flattened input."""
    i = in_range("take", int_index("take", index), input._data.size, IndexError, negative=True)
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
    held = checked_mask("masked_select", mask)
    try:
        shape = np.broadcast_shapes(input._data.shape, held.shape) or (1,)
    except ValueError:
        raise shapes_mismatch("masked_select", input._data.shape, held.shape) from None
    at = np.nonzero(np.broadcast_to(held, shape))
    return masked_select_row.apply(expand(input, shape), at)


@public("masked_fill")
def masked_fill_public(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """A value where a mask holds."""
    row = masked_fill_tensor if isinstance(value, Tensor) else masked_fill
    at = checked_mask("masked_fill", mask)
    return row.apply(input, scalar(value, input), at)


@method("masked_fill_")
def masked_fill_(self: Tensor, mask: Tensor, value: Any) -> Tensor:
    """A value where a mask holds, in place."""
    row = masked_fill_tensor if isinstance(value, Tensor) else masked_fill
    at = checked_mask("masked_fill", mask)
    return row.inplace(self, scalar(value, self), at)


def scalar(value: Any, x: Tensor) -> Any:
    """A number that the dtype of a tensor can hold, or a zero-dim tensor."""
    if isinstance(value, complex):
        return checked_number("masked_fill", value, x.dtype)
    if isinstance(value, Tensor) and value._data.ndim:
        raise errors.wrong_shape(
            "masked_fill(): the value must be a number or a 0-dim tensor; got shape "
            f"{list(value.shape)}"
        )
    if not isinstance(value, (Tensor, int, float, np.generic)):
        raise errors.no_operand("masked_fill", "value", value)
    return value


def checked_mask(what: str, mask: Tensor) -> Any:
    """A mask's array, copied."""
    needs_tensor(what, "mask", mask)
    if mask._data.dtype.kind != "b":
        raise errors.wrong_dtype(f"{what}(): expected BoolTensor for mask, got {mask.dtype}")
    return mask._data.copy()


def _masked_put(x: Any, src: Any, mask: Any) -> Any:
    shape = np.broadcast_shapes(x.shape, mask.shape)
    out = np.broadcast_to(x, shape).copy()
    full = np.broadcast_to(mask, shape)
    n = int(full.sum())
    if src.size < n:
        raise errors.wrong_shape(
            f"masked_scatter(): the source must have an element for each that the mask selects; got "
            f"{src.size} for {n}"
        )
    out[full] = src.reshape(-1)[:n]
    return out


def masked_source(g: Any, y_shape: Any, mask: Any) -> Any:
    """The gradient of a masked_scatter's source: the masked elements in order, then zeros."""
    full = (np.broadcast_to(mask, g.shape),)
    part = index_row(g, full)
    n = int(np.prod(y_shape))
    rest = zeros_of(part, (n - part.shape[0],))
    return reshape_any(cat2(part, rest, 0), y_shape)


masked_scatter = op(
    "masked_scatter(x, y, /, mask)",
    _masked_put,
    LINEAR | READS_FIRST,
    x=lambda g, x_shape, mask: sum_to(masked_fill(g, 0, mask), x_shape),
    y=masked_source,
)


@public("nonzero")
def nonzero(input: Tensor, as_tuple: bool = False) -> Any:
    """Where elements are not zero."""
    data = input._data
    if as_tuple:
        return tuple(wrap(i) for i in np.nonzero(data if data.ndim else data.reshape(1)))
    if not data.ndim:
        return wrap(zeros((int(bool(data)), 0), np.dtype(np.int64), data))
    found = np.nonzero(data)
    return wrap(np.stack(found, -1))
