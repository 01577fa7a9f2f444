"""Writing where an index says: the families of scatter, index and put, out of place and in place."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import add_at, astype, combine_at, full, same_place
from ..graph.row import KEEPS_LAYOUT, LINEAR, NO_COMPLEX_GRADIENT, READS_FIRST
from ..naming import first_named
from ..tensor.tensor import Tensor, wrap
from .binary import no_derivative
from .choose import data_of, where
from .core import cast_to, copied
from .dims import needs_tensor, wrap_dim
from .gather import (
    along,
    checked_mask,
    fit,
    gather,
    in_range,
    int_index,
    masked_scatter,
    scatter,
    scatter_add,
    scatter_along,
    take_row,
)
from .index import checked_value, index_array, index_put, overwritten
from .op import Op, op, variant
from .registry import public
from .shape import diagonal, reshape_any, select, slice_
from .windows import as_strided

FILLS = index_put.row.flags | READS_FIRST

index_add = variant(index_put, "IndexAddBackward0", "index_add", LINEAR)
index_copy = variant(index_put, "IndexCopyBackward0", "index_copy", LINEAR)
index_fill = variant(index_put, "IndexFillBackward0", "index_fill", FILLS)
index_fill_tensor = variant(index_put, "IndexFillBackward1", "index_fill", FILLS)
scatter_value = variant(scatter, "ScatterBackward1")

Prepared = tuple[Any, tuple[Any, ...]]
"""A row, and its operands and statics after the tensor written to."""


def family(name: str) -> Callable[[Callable[..., Prepared]], Callable[..., Prepared]]:
    """Make a function that prepares a write public, as the write out of place and in place."""

    def register(prepare: Callable[..., Prepared]) -> Callable[..., Prepared]:
        def prepared(*args: Any, **kwargs: Any) -> Prepared:
            try:
                return prepare(*args, **kwargs)
            except TypeError as error:
                errors.mark_call(error)
                raise

        def out(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
            row, operands = prepared(input, *args, **kwargs)
            return row.apply(input, *operands)  # type: ignore[no-any-return]

        def inplace(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
            if name != "masked_scatter":
                for given in (*args, *kwargs.values()):
                    if isinstance(given, Tensor) and same_place(given._data, self._data):
                        raise errors.partial_overlap(name + "_")
            row, operands = prepared(self, *args, **kwargs)
            return row.inplace(self, *operands)  # type: ignore[no-any-return]

        asked = inspect.signature(prepare).replace(return_annotation="Tensor")
        out.__signature__ = first_named(asked, "input")  # type: ignore[attr-defined]
        inplace.__signature__ = first_named(asked, "self")  # type: ignore[attr-defined]
        out.__doc__ = prepare.__doc__
        inplace.__doc__ = f"{prepare.__doc__ or ''} In place."
        public(name)(out)
        public(name + "_")(inplace)
        return prepare

    return register


# -- what the families have in common --------------------------------------------------------------


def source_of(what: str, x: Tensor, name: str, source: Tensor) -> Tensor:
    """A source, which must be a tensor of the target's dtype.

    Raises:
        TypeError: no tensor.
        RuntimeError: of another dtype, or on another device.
    """
    needs_tensor(what, name, source)
    if source.dtype is not x.dtype:
        raise errors.wrong_dtype(
            f"{what}(): the target and the source must have one dtype; got {x.dtype} and "
            f"{source.dtype}. Convert one of them."
        )
    if source.device != x.device:
        raise errors.several_devices(what, x.device, source.device)
    return source


def along_index(what: str, x: Tensor, dim: int, index: Tensor) -> tuple[int, Any]:
    """A dimension and an index of as many dimensions as the target, in range along it and nowhere
    else longer.

    Raises:
        RuntimeError: of other dimensions, out of range, or longer.
    """
    own = x._data.shape
    d = wrap_dim(dim, len(own))
    i = int_index(what, index)
    if (len(own) or 1) != (i.ndim or 1) and i.size:
        raise errors.wrong_shape(
            f"{what}(): the index must have as many dimensions as the target; got {i.ndim} and "
            f"{len(own)}"
        )
    in_range(what, i, own[d] if own else 1)
    if (
        own
        and i.ndim
        and any(n > m for k, (n, m) in enumerate(zip(i.shape, own, strict=False)) if k != d)
    ):
        raise errors.wrong_shape(
            f"{what}(): the index may not be longer than the target apart from dimension {d}; got "
            f"{list(i.shape)} and {list(own)}"
        )
    return d, i.reshape(1) if own and not i.ndim else i


def short_enough(what: str, index: Any, source: Tensor) -> None:
    """Refuse a source that is shorter than the index somewhere."""
    shape = source._data.shape or (1,)
    if index.size and (index.ndim or 1) != len(shape):
        raise errors.wrong_shape(
            f"{what}(): the index must have as many dimensions as the source; got "
            f"{list(index.shape)} and {list(source.shape)}"
        )
    if index.size and any(n > m for n, m in zip(index.shape or (1,), shape, strict=False)):
        raise errors.wrong_shape(
            f"{what}(): the index may not be longer than the source; got {list(index.shape)} and "
            f"{list(source.shape)}"
        )


def whole_slices(
    what: str, x: Tensor, dim: int, index: Tensor, source: Tensor, refusal: type[Exception]
) -> tuple[Any, ...]:
    """The advanced index of slices along a dimension, one for each slice of a source.

    Raises:
        IndexError: out of range.
        RuntimeError or IndexError, as ``refusal`` says: another number of slices.
        RuntimeError: slices of another shape.
    """
    own, other = x._data.shape, source._data.shape
    d = wrap_dim(dim, len(own))
    i = np.atleast_1d(int_index(what, index))
    if i.ndim > 1:
        raise errors.wrong_index(
            f"{what}(): the index must be a vector; got shape {list(index.shape)}"
        )
    count = other[d] if len(other) > d else 1
    if i.size != count:
        raise errors.wrong_shape(
            f"{what}(): there must be as many indices as slices in the source; got {i.size} and "
            f"{count}",
            refusal,
        )
    if own and (*own[:d], *own[d + 1 :]) != (*other[:d], *other[d + 1 :]):
        raise errors.wrong_shape(
            f"{what}(): target and source must agree apart from dimension {d}; got shapes "
            f"{list(own)} and {list(other)}"
        )
    return slices(d, in_range(what, i, own[d] if own else 1, IndexError), own)


def slices(dim: int, index: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """The advanced index of slices along a dimension; all there is of a tensor without any."""
    return (slice(None),) * dim + (index,) if shape else ()


# -- scatter ---------------------------------------------------------------------------------------


def _combined(x: Any, src: Any, dim: int, index: Any, how: str) -> Any:
    out = x.copy()
    ufunc = np.add if how == "add" else np.multiply
    combine_at(ufunc, out, along(index, dim), astype(fit(src, index), x.dtype))
    return out


scatter_combined = op(
    "scatter(x, y, /, dim, index, how)",
    _combined,
    node="NotImplemented",
    x=no_derivative("scatter"),
    y=no_derivative("scatter"),
)


@family("scatter")
def scatter_of(
    x: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None, reduce: Any = None
) -> Prepared:
    """Values put, added or multiplied where an index along one dimension says."""
    source = value if src is None else src
    d, i = along_index("scatter", x, dim, index)
    if not isinstance(source, (int, float, complex, np.generic)):
        short_enough("scatter", i, source_of("scatter", x, "src", source))
    if reduce is None:
        return (scatter if isinstance(source, Tensor) else scatter_value), (source, d, i)
    if reduce not in ("add", "multiply"):
        raise errors.wrong_value(
            f"scatter(): reduce must be 'add' or 'multiply'; got {reduce!r}", RuntimeError
        )
    if isinstance(source, Tensor):
        errors.caution(
            "scatter with reduce= and a tensor is deprecated. Use scatter_reduce.", stacklevel=6
        )
    return scatter_combined, (source, d, i, reduce)


@family("scatter_add")
def scatter_add_of(x: Tensor, dim: int, index: Tensor, src: Tensor) -> Prepared:
    """Values added where an index along one dimension says."""
    source = source_of("scatter_add", x, "src", src)
    d, i = along_index("scatter_add", x, dim, index)
    short_enough("scatter_add", i, source)
    return scatter_add, (source, d, i)


@family("masked_scatter")
def masked_scatter_of(x: Tensor, mask: Tensor, source: Tensor) -> Prepared:
    """The elements of a source, in order, where a mask holds."""
    at = checked_mask("masked_scatter", mask)
    held = int(np.broadcast_to(at, np.broadcast_shapes(at.shape, x._data.shape)).sum())
    if source_of("masked_scatter", x, "source", source)._data.size < held:
        raise errors.wrong_shape(
            f"masked_scatter(): the mask holds at {held} places, and the source has only "
            f"{source._data.size} elements"
        )
    return masked_scatter, (source, at)


# -- index -----------------------------------------------------------------------------------------


@family("index_put")
def index_put_of(x: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Prepared:
    """Values put or added at an advanced index."""
    if isinstance(indices, Tensor) or not all(isinstance(i, Tensor) for i in indices):
        raise errors.wrong_type("index_put(): argument 'indices' must be a tuple of Tensors")
    needs_tensor("index_put", "values", values)
    at = tuple(index_array(i) for i in indices)
    needed = sum(i.ndim if i.dtype.kind == "b" else 1 for i in at)
    if needed > x._data.ndim:
        raise errors.wrong_index(
            f"too many indices: got {needed} for a tensor of shape {list(x.shape)}"
        )
    dim = 0
    for i in at:
        if i.dtype.kind != "b":
            in_range("index_put", i, x._data.shape[dim], IndexError, negative=True)
        dim += i.ndim if i.dtype.kind == "b" else 1
    return index_put, (checked_value(x, at, values, accumulate), at, accumulate)


@family("index_add")
def index_add_of(x: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Prepared:
    """Slices added along a dimension."""
    part = source_of("index_add", x, "source", source)
    at = whole_slices("index_add", x, dim, index, part, RuntimeError)
    return index_add, (part if alpha == 1 else part * alpha, at, True)


@family("index_copy")
def index_copy_of(x: Tensor, dim: int, index: Tensor, source: Tensor) -> Prepared:
    """Slices put along a dimension."""
    part = source_of("index_copy", x, "source", source)
    return index_copy, (part, whole_slices("index_copy", x, dim, index, part, IndexError), False)


@family("index_fill")
def index_fill_of(x: Tensor, dim: int, index: Tensor, value: Any) -> Prepared:
    """One value put into slices along a dimension."""
    own = x._data.shape
    d = wrap_dim(dim, len(own))
    if not isinstance(value, (Tensor, int, float, complex, np.generic)):
        raise errors.no_operand("index_fill", "value", value)
    if isinstance(value, Tensor) and value._data.ndim:
        raise errors.wrong_shape(
            "index_fill(): the value must be a number or a 0-dim tensor; got shape "
            f"{list(value.shape)}"
        )
    if isinstance(index, Tensor) and index._data.dtype.kind not in "iu":
        raise errors.wrong_index(
            f"index_fill(): the index must be of dtype int64; got {index.dtype}"
        )
    i = np.atleast_1d(int_index("index_fill", index))
    if i.ndim > 1:
        raise errors.wrong_shape(
            f"index_fill(): the index must be a vector; got shape {list(index.shape)}"
        )
    size = own[d] if own else 1
    if x._data.size or not size:
        refusal = IndexError if size else RuntimeError
        in_range("index_fill", i, size, refusal, negative=True)
    elif i.size:  # there is nothing to fill, so that no index is looked at
        i = i[:0]
    if isinstance(value, Tensor) and size:  # each slice takes the value once
        i = np.unique(i % size)
    row = index_fill_tensor if isinstance(value, Tensor) else index_fill
    return row, (value, slices(d, i, own), False)


# -- put -------------------------------------------------------------------------------------------


def _put_flat(x: Any, y: Any, index: Any, accumulate: bool) -> Any:
    out = x.copy()
    flat = out.reshape(-1)
    if accumulate:
        add_at(flat, (index,), y.astype(x.dtype))
    else:
        flat[index] = y.reshape(index.shape)
    return flat.reshape(x.shape)


put = op(
    "put(x, y, /, index, accumulate)",
    _put_flat,
    LINEAR,
    x=lambda g, x_shape, index, accumulate: (
        g
        if accumulate
        else reshape_any(overwritten(reshape_any(g, (-1,)), (index.reshape(-1),)), x_shape)
    ),
    y=lambda g, y_shape, index: reshape_any(take_row(g, index), y_shape),
)


@family("put")
def put_of(x: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Prepared:
    """Values put or added at places counted through the flattened tensor."""
    part = source_of("put", x, "source", source)
    i = in_range("put", int_index("put", index), x._data.size, IndexError, negative=True)
    if part._data.size != i.size:
        raise errors.wrong_index(
            f"put(): index and source must have as many elements; got {i.size} and {part._data.size}"
        )
    return put, (part, i, accumulate)


# -- combining -------------------------------------------------------------------------------------


STARTS: dict[str, float] = {"sum": 0, "mean": 0, "prod": 1, "amax": -np.inf, "amin": np.inf}
COMBINED = {
    "sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum
}  # fmt: skip


def start(how: str, dtype: Any) -> Any:
    """What a reduction of nothing is, as a value of a dtype."""
    if dtype.kind in "iu" and how in ("amax", "amin"):
        limits = np.iinfo(dtype)
        return limits.min if how == "amax" else limits.max
    return STARTS[how]


def _reduced(x: Any, src: Any, dim: int, index: Any, how: str, include_self: bool) -> Any:
    out = x.copy()
    at = along(index, dim)
    src = astype(fit(src, index), x.dtype)
    if not include_self:
        out[at] = start(how, x.dtype)
    combine_at(COMBINED[how], out, at, src)
    if how != "mean":
        return out
    n = _counts(x, at, include_self)
    return out // n if x.dtype.kind in "iu" else out / n


def _counts(x: Any, at: Any, include_self: bool) -> Any:
    """How many values met at each place, at least one."""
    n = full(x.shape, 1, x.dtype, x)
    if not include_self:
        n[at] = 0
    add_at(n, at, full(np.broadcast_shapes(*(i.shape for i in at)), 1, x.dtype, x))
    return np.maximum(n, 1)


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


def _without_zeros(
    x: Any, y: Any, dim: int, index: Any, include_self: bool
) -> tuple[Any, Any, Any]:
    """The product at each place without its zeros, their sum, and an array of how many these are."""
    no_x, no_y = data_of(x) == 0, data_of(y) == 0
    product = reduce_row(where(no_x, 1, x), where(no_y, 1, y), dim, index, "prod", include_self)
    total = reduce_row(where(no_x, x, 0), where(no_y, y, 0), dim, index, "sum", include_self)
    count = scatter_along(astype(no_y, data_of(y).dtype), x.shape, dim, index)
    return product, total, count + no_x if include_self else count


def _others(zero: Any, product: Any, total: Any, count: Any) -> Any:
    """The product of all others beside a zero: of two zeros the other one is a factor, so that its
    derivative is right too."""
    return where(count == 1, product, where(count == 2, product * (total - zero), 0))


def _averaged(g: Any, x: Any, dim: int, index: Any, how: str, include_self: bool) -> Any:
    """The gradient of a sum, or of a mean by the number of values."""
    if how == "sum":
        return g
    return g / constant(_counts(data_of(x), along(index, dim), include_self), g)


def _reduce_x(
    g: Any, x: Any, y: Any, out: Any, dim: int, index: Any, how: str, include_self: bool
) -> Any:
    if how in ("sum", "mean"):
        kept = _averaged(g, x, dim, index, how, include_self)
        return kept if include_self else kept * constant(_untouched(x, y, dim, index), kept)
    if how != "prod":
        own = _own(x, y, out, dim, index, include_self)
        return g * own * _share(x, y, out, dim, index, include_self)
    if not include_self:
        return g * constant(_untouched(x, y, dim, index), g)
    no_x = data_of(x) == 0
    others = _others(x, *_without_zeros(x, y, dim, index, include_self))
    return g * where(no_x, others, out / where(no_x, 1, x))


def _reduce_y(
    g: Any, x: Any, y: Any, out: Any, dim: int, index: Any, how: str, include_self: bool
) -> Any:
    if how in ("sum", "mean"):
        return gather(_averaged(g, x, dim, index, how, include_self), dim, index)
    if how != "prod":
        picked = gather(g * _share(x, y, out, dim, index, include_self), dim, index)
        return picked * _ties(y, gather(out, dim, index))
    no_y = data_of(y) == 0
    there = _without_zeros(x, y, dim, index, include_self)
    others = _others(y, *(gather(each, dim, index) for each in there))
    return gather(g, dim, index) * where(no_y, others, gather(out, dim, index) / where(no_y, 1, y))


reduce_row = op(
    "scatter_reduce(x, y, /, dim, index, how, include_self)",
    _reduced,
    NO_COMPLEX_GRADIENT,
    x=_reduce_x,
    y=_reduce_y,
)


@family("scatter_reduce")
def scatter_reduce_of(
    x: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Prepared:
    """Values combined where an index along one dimension says: sum, prod, mean, amax or amin."""
    if reduce not in STARTS:
        raise errors.wrong_value(
            f"scatter_reduce(): reduce must be one of {list(STARTS)}; got {reduce!r}", RuntimeError
        )
    source = source_of("scatter_reduce", x, "src", src)
    d, i = along_index("scatter_reduce", x, dim, index)
    short_enough("scatter_reduce", i, source)
    kinds = {"amax": "c", "amin": "c", "mean": "b"}.get(reduce, "")
    if source._data.dtype.kind in kinds:
        raise errors.unsupported_dtype(f"scatter_reduce with {reduce}", source.dtype)
    if source._data.shape != i.shape:
        cut = tuple(slice(n) for n in i.shape)
        source = source[cut] if source._data.ndim else source.reshape(1)
    return reduce_row, (source, d, i, reduce, include_self)


index_reduce_row = op(
    "index_reduce(x, y, /, dim, index, how, include_self)",
    _reduced,
    NO_COMPLEX_GRADIENT,
    x=_reduce_x,
    y=_reduce_y,
)


@family("index_reduce")
def index_reduce_of(
    x: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, *, include_self: bool = True
) -> Prepared:
    """Slices combined along a dimension: prod, mean, amax or amin."""
    if reduce not in STARTS or reduce == "sum":
        raise errors.wrong_value(
            f"index_reduce(): reduce must be one of ['mean', 'prod', 'amax', 'amin']; got {reduce!r}",
            RuntimeError,
        )
    part = source_of("index_reduce", x, "source", source)
    if x._data.dtype.kind in "cb":
        raise errors.unsupported_dtype("index_reduce", x.dtype)
    whole_slices("index_reduce", x, dim, index, part, RuntimeError)
    shape = part._data.shape
    if len(shape) != x._data.ndim:
        raise errors.wrong_shape(
            f"index_reduce(): target and source must have as many dimensions; got shapes "
            f"{list(x.shape)} and {list(shape)}"
        )
    d = wrap_dim(dim, len(shape))
    i = int_index("index_reduce", index).reshape(
        tuple(-1 if k == d else 1 for k in range(len(shape)))
    )
    return index_reduce_row, (part, d, np.broadcast_to(i, shape), reduce, include_self)


# -- copies with a part replaced -------------------------------------------------------------------


def _replaced(x: Any, src: Any, view: Op, look: Op, statics: Any) -> Any:
    out = x.copy() if view is as_strided else copied(x)
    part = view.row.kernel(out, *statics)
    if part.shape != src.shape:
        raise errors.wrong_shape(
            f"scatter(): the source must have the shape of the part that it replaces; got "
            f"{list(src.shape)}, expected {list(part.shape)}"
        )
    part[...] = astype(src, x.dtype)
    return out


def _cleared(g: Any, view: Op, statics: Any) -> Any:
    """``g`` with zeros where a view looks."""
    if isinstance(g, Tensor):
        return cleared.apply(g, view, statics)
    out = g.copy(order="C") if isinstance(g, np.ndarray) else g.copy()
    view.row.kernel(out, *statics)[...] = 0
    return out


cleared = op(
    "cleared(x, /, view, statics)",
    _cleared,
    LINEAR,
    x=lambda g, view, statics: _cleared(g, view, statics),
)
select_scatter = op(
    "select_scatter(x, y, /, view, look, statics)",
    _replaced,
    LINEAR | KEEPS_LAYOUT | NO_COMPLEX_GRADIENT,
    x=lambda g, view, statics: _cleared(g, view, statics),
    y=lambda g, look, statics: look(g, *statics),
)
slice_scatter = variant(select_scatter, "SliceScatterBackward0", "slice_scatter")
diagonal_scatter = variant(
    select_scatter, "DiagonalScatterBackward0", "diagonal_scatter", LINEAR | KEEPS_LAYOUT
)


@public("select_scatter")
def select_scatter_public(input: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    """A copy with one index of a dimension replaced."""
    d = wrap_dim(dim, input._data.ndim)
    size = input._data.shape[d]
    if not -size <= index < size:
        raise errors.wrong_index(
            f"index {index} is out of bounds for dimension {d} with size {size}"
        )
    return select_scatter.apply(input, src, select, select, (d, index % size))


@public("slice_scatter")
def slice_scatter_public(
    input: Tensor, src: Tensor, dim: int = 0, start: Any = None, end: Any = None, step: int = 1
) -> Tensor:
    """A copy with a range of a dimension replaced."""
    d = wrap_dim(dim, input._data.ndim)
    if step <= 0:
        raise errors.wrong_value(
            f"slice_scatter(): the step must be positive; got {step}", RuntimeError
        )
    at = slice(*slice(start, end, step).indices(input._data.shape[d]))
    return slice_scatter.apply(input, src, slice_, slice_, (d, at))


@public("diagonal_scatter")
def diagonal_scatter_public(
    input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Tensor:
    """A copy with a diagonal replaced."""
    n = input._data.ndim
    at = (offset, wrap_dim(dim1, n), wrap_dim(dim2, n))
    return diagonal_scatter.apply(input, src, diagonal, diagonal, at)
