"""Views by sizes and strides: windows that may overlap, and any look at memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..op import LINEAR, op
from ..tensor import Tensor
from .registry import method, public
from .shape import V, wrap_dim


def _unfold(x: Any, dim: int, size: int, step: int) -> Any:
    count = (x.shape[dim] - size) // step + 1
    shape = (*x.shape[:dim], count, *x.shape[dim + 1 :], size)
    st = x.strides
    strides = (*st[:dim], st[dim] * step, *st[dim + 1 :], st[dim])
    return np.lib.stride_tricks.as_strided(x, shape, strides)


def _unfold_back(g: Any, shape: Any, dim: int, size: int, step: int) -> Any:
    if isinstance(g, Tensor):
        return unfold_back.apply(g, shape, dim, size, step)
    out = np.zeros(shape, g.dtype)
    every: Any = ...
    np.add.at(_unfold(out, dim, size, step), every, g)
    return out


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


def as_strided_kernel(x: Any, size: Any, stride: Any, offset: Any) -> Any:
    """Any strided look at the memory that holds ``x``."""
    from ..backend.base import pointer, root

    memory = root(x)
    start = (pointer(x) - pointer(memory)) // x.itemsize if offset is None else offset
    flat = (
        np.lib.stride_tricks.as_strided(memory, (memory.nbytes // x.itemsize,), (x.itemsize,))
        if (memory.dtype == x.dtype)
        else memory.view(x.dtype).reshape(-1)
    )
    last = start + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    if size and min(size) > 0 and last >= flat.size:
        raise RuntimeError(
            f"[as_strided] sizes {list(size)}, strides {list(stride)} and offset {start} reach "
            f"element {last}, outside the storage of {flat.size} elements"
        )
    return np.lib.stride_tricks.as_strided(flat[start:], size, [s * x.itemsize for s in stride])


def as_strided_rule(g: Any, x_shape: Any, size: Any, stride: Any, offset: Any) -> Any:
    """The gradient added up in a row-major copy of ``x``'s memory."""
    if isinstance(g, Tensor):
        return as_strided_back.apply(g, x_shape, size, stride, offset)
    n = int(np.prod(x_shape))
    out = np.zeros(n, g.dtype)
    view = np.lib.stride_tricks.as_strided(
        out[offset or 0 :], size, [s * g.itemsize for s in stride]
    )
    every: Any = ...
    np.add.at(view, every, g)
    return out.reshape(x_shape)


as_strided = op("as_strided(x, /, size, stride, offset)", as_strided_kernel, V, x=as_strided_rule)
as_strided_back = op(
    "as_strided_backward(x, /, shape, size, stride, offset)",
    as_strided_rule,
    LINEAR,
    x=lambda g, size, stride, offset: as_strided(g, size, stride, offset),
)


@method("unfold")
def unfold_public(self: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """Windows of a dimension, as the last one."""
    d = wrap_dim(dimension, self._data.ndim)
    if size > self._data.shape[d]:
        raise RuntimeError(
            f"maximum size for tensor at dimension {d} is {self._data.shape[d]} but size is {size}"
        )
    return unfold.apply(self, d, size, step)


@public("as_strided")
def as_strided_public(
    input: Tensor, size: Any, stride: Any, storage_offset: int | None = None
) -> Tensor:
    """A view with any sizes and strides (in elements) of the memory that holds the input."""
    return as_strided.apply(input, tuple(size), tuple(stride), storage_offset)
