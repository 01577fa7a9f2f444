"""Views by sizes and strides: windows that may overlap, and any look at memory."""

from __future__ import annotations

import math
from typing import Any

from .. import errors
from ..backend.base import (
    add_at,
    arange,
    looked_at,
    memory,
    offset_in_elements,
    strides_in_elements,
    zeros,
)
from ..backend.base import as_strided as look_at
from ..backend.meta import MetaArray, on_meta
from ..graph.row import LINEAR
from ..tensor.tensor import Tensor
from .dims import wrap_dim
from .op import Op, op, variant
from .registry import method, public
from .shape import V


def _unfold(x: Any, dim: int, size: int, step: int) -> Any:
    if not x.ndim:
        return look_at(x, (size,), (x.itemsize,))
    count = (x.shape[dim] - size) // step + 1
    shape = (*x.shape[:dim], count, *x.shape[dim + 1 :], size)
    st = x.strides
    strides = (*st[:dim], st[dim] * step, *st[dim + 1 :], st[dim])
    return look_at(x, shape, strides)


def _unfold_back(g: Any, shape: Any, dim: int, size: int, step: int) -> Any:
    if isinstance(g, Tensor):
        return unfold_back.apply(g, shape, dim, size, step)
    n = math.prod(shape)
    out = zeros((n,), g.dtype, g)
    positions = _unfold(arange(n, g).reshape(shape), dim, size, step)
    add_at(out, (positions,), g)
    return out.reshape(shape)


unfold = op(
    "unfold(x, /, dim, size, step)",
    _unfold,
    V,
    x=lambda g, x_shape, dim, size, step: _unfold_back(g, x_shape, dim, size, step),
)
unfold_back = op(
    "unfold_backward(x, /, shape, dim, size, step)",
    _unfold_back,
    LINEAR,
    x=lambda g, dim, size, step: unfold(g, dim, size, step),
)


def as_strided_kernel(x: Any, size: Any, stride: Any, offset: Any, own: Any) -> Any:
    """Any strided look at the memory that holds ``x``."""
    held, each = memory(x), int(x.itemsize)
    if type(x) is MetaArray:  # there is no memory to look at
        return on_meta(zeros(size, x.dtype, x))
    if reach(size, stride, offset) > held.size // each:
        raise errors.wrong_shape(
            f"as_strided(): setStorage: sizes {list(size)}, strides {list(stride)} and storage "
            f"offset {offset} are out of bounds for storage of {held.size // each} elements"
        )
    return looked_at(held, x.dtype, offset * each, size, [s * each for s in stride])


def reach(size: Any, stride: Any, offset: int) -> int:
    """How many elements of memory a strided look needs."""
    if 0 in size:
        return 0
    return offset + 1 + sum((n - 1) * s for n, s in zip(size, stride, strict=True))  # type: ignore[no-any-return]


def extent(shape: Any, size: Any, stride: Any, offset: int, own: Any) -> int:
    """How much memory the input (``own``: its strides and offset) and the output look at."""
    return max(reach(size, stride, offset), reach(shape, *own))


def look(held: Any, shape: Any, stride: Any, offset: int) -> Any:
    """A look at a vector; strides and offset in elements."""
    return look_at(held[offset:], shape, [s * held.itemsize for s in stride])


def as_strided_rule(g: Any, x_shape: Any, size: Any, stride: Any, offset: Any, own: Any) -> Any:
    """The gradient added up in memory laid out as that of ``x``, and shared among the elements of
    ``x`` that stand in one place."""
    if isinstance(g, Tensor):
        return as_strided_back.apply(g, x_shape, size, stride, offset, own)
    if type(g) is MetaArray:
        return zeros(x_shape, g.dtype, g)
    n = extent(x_shape, size, stride, offset, own)
    held = zeros((n,), g.dtype, g)
    add_at(held, (look(arange(n, g), size, stride, offset),), g)
    inward = look(held, x_shape, *own)
    shares = 1
    for n, s in zip(x_shape, own[0], strict=True):
        shares *= n if s == 0 and n > 1 else 1
    return inward / shares if shares > 1 else inward.copy()


def as_strided_read(x: Any, size: Any, stride: Any, offset: Any, own: Any) -> Any:
    """What ``as_strided`` reads of ``x`` laid out anew as its input was."""
    held = zeros((extent(x.shape, size, stride, offset, own),), x.dtype, x)
    look(held, x.shape, *own)[...] = x
    return look(held, size, stride, offset).copy()


as_strided = op(
    "as_strided(x, /, size, stride, offset, own)", as_strided_kernel, V, x=as_strided_rule
)
as_strided_again = variant(as_strided, "AsStridedBackward1")
as_strided_back = op(
    "as_strided_backward(x, /, shape, size, stride, offset, own)",
    as_strided_rule,
    LINEAR,
    x=lambda g, size, stride, offset, own: read(g, size, stride, offset, own),
)
read: Op = op(
    "as_strided_copy(x, /, size, stride, offset, own)",
    as_strided_read,
    LINEAR,
    x=as_strided_rule,
)


def strided(x: Tensor, size: Any, stride: Any, offset: int, row: Op = as_strided) -> Tensor:
    """``as_strided`` with the layout that the input has now."""
    own = (strides_in_elements(x._data), offset_in_elements(x._data))
    return row.apply(x, size, stride, offset, own)


@method("unfold")
def unfold_public(self: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """Windows of a dimension, as the last one."""
    d = wrap_dim(dimension, self._data.ndim)
    if step <= 0 or size < 0:
        raise errors.wrong_value(
            f"unfold(): the step must be positive and the size not negative; got {step} and {size}",
            RuntimeError,
        )
    if size > (self._data.shape[d] if self._data.ndim else 1):
        raise errors.wrong_shape(
            f"maximum size for a tensor of shape {list(self.shape)} at dimension {d} is less than "
            f"the size {size}"
        )
    return unfold.apply(self, d, size, step)


@public("as_strided")
def as_strided_public(
    input: Tensor, size: Any, stride: Any, storage_offset: int | None = None
) -> Tensor:
    """A view with any sizes and strides (in elements) of the memory that holds the input."""
    return strided(input, *checked_look(input, size, stride, storage_offset))


def as_strided_in_place(
    input: Tensor, size: Any, stride: Any, storage_offset: int | None = None
) -> Tensor:
    """As ``as_strided``, for the in-place form."""
    at, steps, start = checked_look(input, size, stride, storage_offset)
    return strided(input, at, steps, start, as_strided_again)


def checked_look(x: Tensor, size: Any, stride: Any, storage_offset: int | None) -> Any:
    """Size, strides and offset of a look at the memory of ``x``, whose own offset is the default.

    Raises:
        RuntimeError: there are not as many strides as sizes, or one of all of them is negative.
    """
    if len(size) != len(stride):
        raise errors.wrong_shape(
            f"as_strided(): mismatch in length of strides and shape: {list(size)}, {list(stride)}"
        )
    start = offset_in_elements(x._data) if storage_offset is None else storage_offset
    if min((*size, *stride, start), default=0) < 0:
        raise errors.wrong_shape(
            "as_strided(): sizes, strides and the offset cannot be negative; got "
            f"{list(size)}, {list(stride)} and {start}"
        )
    return tuple(size), tuple(stride), start
