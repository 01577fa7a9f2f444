"""``x[index]`` and ``x[index] = value``: views where the index is basic, copies where it is not."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import (
    add_at,
    array_like,
    beside,
    full,
    host,
    put_at,
    same_place,
    take_at,
    zeros,
)
from ..backend.device import CPU
from ..graph.row import KEEPS_LAYOUT, LINEAR, OVERLAP_DEPRECATED
from ..tensor.tensor import Tensor, wrap
from .core import alias, cast_in, cast_to, copied, copy_, dropping, fill_, sum_to, to_device
from .op import op
from .registry import method
from .shape import select, slice_, unsqueeze

__all__ = ["getitem", "index_put", "index_row", "setitem"]


# -- rows ------------------------------------------------------------------------------------------


def _accumulated(g: Any, shape: Any, index: Any) -> Any:
    """Zeros of a shape with ``g`` added in at an advanced index, repeated positions adding up."""
    if isinstance(g, Tensor):
        return index_back.apply(g, shape, index)
    out = zeros(shape, g.dtype, g)
    add_at(out, index, g)
    return out


index_row = op(
    "index(x, /, index)",
    take_at,
    LINEAR,
    shows={"index": "indices"},
    x=lambda g, x_shape, index: _accumulated(g, x_shape, index),
)
index_back = op(
    "index_backward(x, /, shape, index)",
    _accumulated,
    LINEAR,
    x=lambda g, index: index_row(g, index),
)


def _put(x: Any, v: Any, index: Any, accumulate: bool) -> Any:
    out = copied(x)
    v = cast_in(array_like(v, x), x.dtype)
    try:
        (add_at if accumulate else put_at)(out, index, v)
    except IndexError:
        raise unfit(out, index) from None
    except (ValueError, TypeError):
        raise errors.wrong_shape(
            f"shape mismatch: value tensor of shape {list(v.shape)} cannot be broadcast to the "
            "indexing result"
        ) from None
    return out


def _put_target_rule(g: Any, index: Any, accumulate: bool) -> Any:
    return g if accumulate else overwritten(g, index)


def overwritten(g: Any, index: Any) -> Any:
    """``g`` with zeros at an index."""
    if isinstance(g, Tensor):
        return erase.apply(g, index)
    out = g.copy()
    out[index] = 0
    return out


erase = op("erase(x, /, index)", overwritten, LINEAR, x=lambda g, index: overwritten(g, index))
index_put = op(
    "index_put(x, y, /, index, accumulate)",
    _put,
    LINEAR | KEEPS_LAYOUT | OVERLAP_DEPRECATED,
    shows={"index": "indices"},
    x=_put_target_rule,
    y=lambda g, index, y_shape: sum_to(index_row(g, index), y_shape),
)


def checked_value(x: Tensor, index: Any, value: Tensor, accumulate: bool = False) -> Tensor:
    """A value to put at an advanced index. One element to put at one mask is cast.

    Raises:
        RuntimeError: another dtype.
    """
    if value.dtype is x.dtype:
        return value
    arrays = [i for i in index if not isinstance(i, slice)]
    if not accumulate and len(arrays) == 1 and arrays[0].dtype.kind == "b" and value.numel() == 1:
        return cast_to(value, x._data.dtype)  # type: ignore[no-any-return]
    raise errors.wrong_dtype(
        f"Index put requires the source and destination dtypes match, got {x.dtype} for the "
        f"destination and {value.dtype} for the source. Convert one of them."
    )


def unfit(array: Any, index: tuple[Any, ...]) -> Exception:
    """The error of an advanced index that an array does not take."""
    dim = 0
    for i in index:
        if not isinstance(i, slice) and i.dtype.kind == "b":
            if i.shape != array.shape[dim : dim + i.ndim]:
                return errors.wrong_index(
                    f"The shape of the mask {list(i.shape)} at index {dim} does not match the "
                    f"shape of the indexed tensor {list(array.shape)} at index {dim}"
                )
            dim += i.ndim
            continue
        if not isinstance(i, slice):
            size, places = array.shape[dim], host(i)
            outside = places[(places < -size) | (places >= size)]
            if outside.size:
                return errors.wrong_index(
                    f"index {outside[0]} is out of bounds for dimension {dim} with size {size}"
                )
        dim += 1
    shapes = ", ".join(str(list(i.shape)) for i in index if not isinstance(i, slice))
    return errors.wrong_index(
        f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}"
    )


# -- basic and advanced indices --------------------------------------------------------------------


def parse(x: Tensor, index: Any) -> tuple[Tensor, Any]:
    """Take the basic part of an index as views; what is left is an advanced index or None.

    Raises:
        IndexError: out of range, too many indices, or an index of another type.
    """
    few = index if type(index) is tuple else (index,)
    if len(few) <= x._data.ndim and all(type(i) is int or type(i) is slice for i in few):
        return basic(x, few), None
    tuples = nested(index)
    if tuples:
        errors.caution(
            "a list that holds slices or sequences is read as a tuple of indices, which "
            "is deprecated. Write x[tuple(seq)]."
        )
    items = list(index) if isinstance(index, tuple) or tuples else [index]
    used = sum(
        (i._data.ndim if is_mask(i) and isinstance(i, Tensor) else np.ndim(i) if is_mask(i) else 1)
        for i in items
        if i is not None and i is not Ellipsis and not isinstance(i, bool)
    )
    if used > x._data.ndim:
        if not x._data.ndim and used == 1:
            raise errors.wrong_index(
                "a 0-dim tensor has no dimension to index. Use .item() for its number, or "
                "x[...] for a view."
            )
        raise errors.wrong_index(
            f"too many indices: got {used} for a tensor of shape {list(x.shape)}"
        )
    at = next((k for k, i in enumerate(items) if i is Ellipsis), len(items))
    items = [i for i in items if i is not Ellipsis]  # only the first one stands for dimensions
    items[at:at] = [slice(None)] * (x._data.ndim - used)
    dim = 0
    advanced: list[Any] = []
    found = False
    for i in items:
        if i is None:
            x = unsqueeze.apply(x, dim)
            advanced.append(slice(None))
            dim += 1
        elif isinstance(i, bool) or (
            isinstance(i, Tensor) and i._data.dtype.kind == "b" and not i._data.ndim
        ):
            x = unsqueeze.apply(x, dim)
            holds = np.array([bool(i if isinstance(i, bool) else i._data)])
            advanced.append(beside(holds, x._data))
            found = True
            dim += 1
        elif isinstance(i, slice):
            x, dim = sliced(x, dim, i), dim + 1
            advanced.append(slice(None))
        elif isinstance(i, (int, np.integer)) or (
            isinstance(i, Tensor) and not i._data.ndim and i._data.dtype.kind in "iu"
        ):
            x = selected(x, dim, int(i._data) if isinstance(i, Tensor) else int(i))
        else:
            if isinstance(i, Tensor) and i.device not in (CPU, x.device):
                raise errors.several_devices("index", x.device, i.device)
            array = beside(index_array(i), x._data)
            advanced.append(array)
            found = True
            dim += array.ndim if array.dtype.kind == "b" else 1
    return x, tuple(advanced) if found else None


def basic(x: Tensor, items: tuple[Any, ...]) -> Tensor:
    """A view by ints and slices alone, of which most indices are made."""
    dim = 0
    for i in items:
        if type(i) is int:
            x = selected(x, dim, i)
        else:
            x, dim = sliced(x, dim, i), dim + 1
    return x


def selected(x: Tensor, dim: int, k: int) -> Tensor:
    """One place of a dimension, which the view has not.

    Raises:
        IndexError: out of range.
    """
    size = x._data.shape[dim]
    if not -size <= k < size:
        raise errors.wrong_index(f"index {k} is out of bounds for dimension {dim} with size {size}")
    return select.apply(x, dim, k % size)


def nested(index: Any) -> bool:
    """Whether a list stands for a tuple of indices: it holds sequences, slices, or tensors."""
    return isinstance(index, list) and any(
        i is None or i is Ellipsis or isinstance(i, (list, tuple, slice, Tensor)) for i in index
    )


INDEX_DTYPES = (np.dtype(np.int64), np.dtype(np.int32), np.dtype(np.uint8))


def is_mask(i: Any) -> bool:
    """Whether an index is a boolean mask."""
    if isinstance(i, Tensor):
        return bool(i._data.dtype.kind == "b")
    return isinstance(i, np.ndarray) and i.dtype.kind == "b"


def index_array(i: Any) -> Any:
    """An advanced index as an array, copied so that later writes do not reach the graph."""
    if isinstance(i, str):  # a sequence, too
        errors.caution(
            "a string is read as a sequence of indices, which is deprecated. Use a tuple."
        )
        raise errors.wrong_type(
            "indices are integers, slices, None, ..., tensors or lists, not str"
        )
    array = (
        i._data
        if isinstance(i, Tensor)
        else np.asarray(
            [host(v._data) if isinstance(v, Tensor) else v for v in i]
            if isinstance(i, (list, tuple))
            else i
        )
    )
    if array.size == 0 and not isinstance(i, (Tensor, np.ndarray)):
        array = array.astype(np.int64)
    if array.dtype.kind == "f" and isinstance(i, (list, tuple, np.ndarray)):
        array = array.astype(np.int64)
    if array.dtype.kind != "b" and array.dtype not in INDEX_DTYPES:
        raise errors.wrong_index(
            f"an index tensor must be of dtype int64, int32, uint8 or bool; got {array.dtype}"
        )
    if array.dtype == np.uint8:
        errors.caution(
            "an index of dtype uint8 is read as a mask, which is deprecated. Convert it "
            "to torch.bool, or to torch.int64 if positions are meant.",
            5,
        )
        return array.astype(bool)
    return array.copy() if isinstance(i, (Tensor, np.ndarray)) else array


def sliced(x: Tensor, dim: int, s: slice) -> Tensor:
    """A range of a dimension; the whole of it costs nothing but is still a view.

    Raises:
        TypeError: a bound that is no integer.
        ValueError: a step that is not positive.
    """
    given = s.start, s.stop, s.step
    try:
        bounds = [None if v is None else operator.index(v) for v in given]
    except TypeError:
        raise errors.wrong_type(
            "slice indices must be integers or None or have an __index__ method, got "
            + " and ".join(
                type(v).__name__ for v in given if not (v is None or hasattr(v, "__index__"))
            )
        ) from None
    if bounds[2] is not None and bounds[2] <= 0:
        raise errors.wrong_value("step must be greater than zero")
    if bounds == [None, None, None] or (
        bounds[0] in (None, 0) and bounds[1] is None and bounds[2] in (None, 1)
    ):
        return x
    return slice_.apply(x, dim, slice(*slice(*bounds).indices(x._data.shape[dim])))


@method("__getitem__")
def getitem(self: Tensor, index: Any) -> Tensor:
    """``self[index]``: a view for ints, slices, None and ...; a copy for tensors, lists and
    masks."""
    x, advanced = parse(self, index)
    if advanced is not None:
        try:
            return index_row.apply(x, advanced)
        except IndexError:
            raise unfit(x._data, advanced) from None
    if x is self:
        items = index if isinstance(index, tuple) else (index,)
        whole = self._data.ndim and any(i is not Ellipsis for i in items)
        return slice_.apply(self, 0, slice(0, self._data.shape[0])) if whole else alias.apply(self)
    return x


@method("__setitem__")
def setitem(self: Tensor, index: Any, value: Any) -> None:
    """``self[index] = value``: an in-place write, broadcast and, at a basic index, cast.

    Raises:
        TypeError: the value is neither a tensor nor a number.
        RuntimeError: it does not fit in shape, or at an advanced index in dtype.
    """
    if isinstance(value, complex) and self._data.dtype.kind != "c":
        raise errors.wrong_value(
            f"value cannot be converted to type {self.dtype} without overflow", RuntimeError
        )
    if not isinstance(value, Tensor):
        if not isinstance(value, (int, float, complex, np.integer)):
            raise errors.wrong_type(
                f"can't assign a {type(value).__name__} to a tensor; make it a tensor first"
            )
        value = wrap(full((), value, self._data.dtype, self._data))
    if index is False:  # names no element
        return
    x, advanced = parse(self, index)
    if advanced is not None:
        if same_place(value._data, x._data):
            raise errors.partial_overlap("index_put_")
        value = checked_value(x, advanced, value)
        index_put.inplace(x, to_device(value, x.device), advanced, False)
        return
    target = x._data.shape
    if not value._data.ndim:
        dropping(value._data.dtype, x._data.dtype)
    if not value._data.ndim and target:
        fill_(x, value)
        return
    while value._data.ndim > len(target) and value._data.shape[0] == 1:
        value = select.apply(value, 0, 0)
    try:
        fits = (
            value._data.shape == target or np.broadcast_shapes(value._data.shape, target) == target
        )
    except ValueError:
        fits = False
    if not fits:
        raise errors.wrong_shape(
            f"shape mismatch: value tensor of shape {list(value.shape)} cannot be broadcast to "
            f"indexing result of shape {list(target)}"
        )
    copy_(x, value)
