"""Changes in place of a tensor's shape, strides or memory rather than of its values."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import beside, resized, zeros
from ..engine.recording import record
from ..mode import mode
from ..tensor.state import INFERENCE
from ..tensor.tensor import Tensor, refresh, wrap
from ..tensor.views import check_history
from . import METHODS, dims, shape, windows
from .binary import no_derivative
from .op import op
from .registry import as_method

__all__ = ["fill_diagonal_", "resize_", "set_"]


def changes_shape(name: str, fn: Any, doc: str) -> None:
    """In-place change of shape: ``t_``, ``unsqueeze_`` and their like."""

    def inplace(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        if self._view is not None:
            refresh(self)
        check_history(name, self, self._req)
        out: Tensor = fn(self, *args, **kwargs)
        self._data = out._data
        if out._node is not None:
            self._node, self._nr = out._node, out._nr
        if self._vc is not INFERENCE:
            self._vc[0] += 1
        if self._view is not None and out._view is not None and not self._view.origin:
            self._view.steps, self._view.seen = out._view.steps, self._vc[0]
        if out._extra is not None and out._extra.tangent is not None:
            self.ensure_extra().tangent = out._extra.tangent
        return self

    made: Any = inplace
    made.__signature__ = inspect.signature(fn)
    made.__doc__ = f"{doc} In place: the tensor itself changes its shape, its memory stays."
    METHODS[name] = as_method(name, made)


def flipped(x: Tensor, dim0: int, dim1: int) -> Tensor:
    """As ``transpose``, for the in-place form."""
    n = x._data.ndim
    row = shape.transpose_in_place
    return row.apply(x, dims.wrap_dim(dim0, n), dims.wrap_dim(dim1, n))


changes_shape(
    "t_", lambda x: shape.t_checked(x, shape.t_in_place), "A matrix with its dimensions exchanged."
)
for _name in ("transpose_", "swapaxes_", "swapdims_"):
    changes_shape(_name, flipped, "Two dimensions exchanged.")
changes_shape(
    "unsqueeze_",
    lambda x, dim: shape.unsqueeze_in_place.apply(x, dims.wrap_dim(dim, x._data.ndim + 1)),
    "A dimension of size 1 put in.",
)
changes_shape(
    "squeeze_",
    lambda x, dim=None: shape.squeezed(
        x, dim, shape.squeeze_in_place, shape.squeeze_dim_in_place, shape.squeeze_dims_in_place
    ),
    "Dimensions of size 1 left out: all of them, or those that are named.",
)
changes_shape(
    "as_strided_", windows.as_strided_in_place, "The memory seen with these sizes and strides."
)


def resize_(self: Tensor, *sizes: Any, memory_format: Any = None) -> Tensor:
    """Change the shape; the elements stay in the order of memory, and new ones are undefined. A
    tensor that outgrows its memory moves into memory of its own.

    Raises:
        RuntimeError: the tensor requires grad outside inference mode, or a size is negative.
    """
    if mode.inference:
        return resized_to(self, dims.sizes(sizes), memory_format)
    if self.requires_grad:
        raise errors.requires_grad(
            "cannot resize variables that require grad; make a new tensor instead"
        )
    return resized_to(self, dims.sizes(sizes), memory_format)


def resized_to(self: Tensor, wanted: tuple[int, ...], memory_format: Any) -> Tensor:
    """The tensor, in a new shape."""
    if any(n < 0 for n in wanted):
        raise errors.wrong_shape(f"resize_(): a size cannot be negative; got {list(wanted)}")
    if wanted != self._data.shape:
        order = None if memory_format is None else memory_format.order(wanted)
        self._data = resized(self._data, wanted, order)
        if self._vc is not INFERENCE:
            self._vc[0] += 1
    return self


def set_(self: Tensor, source: Any = None) -> Tensor:
    """Let this tensor be the same memory as another one; without one, be empty.

    Raises:
        TypeError: no tensor.
        RuntimeError: another dtype, or the tensor requires grad in grad mode.
    """
    if source is None:
        source = wrap(zeros((0,), self._data.dtype, self._data))
    dims.needs_tensor("set_", "source", source)
    if source._data.dtype is not self._data.dtype:
        raise errors.wrong_dtype(
            f"set_(): expected a source of dtype {self.dtype}, got {source.dtype}"
        )
    if self._view is not None:
        refresh(self)
    check_history("set_", self, self._req)
    mask = self.requires_grad + 2 * source.requires_grad
    if mode.grad and not mode.inference and mask:
        arrays = [self._data, source._data]
        node = record(set_row.row, (self, source), arrays, (), [self], mask)
        self._node, self._nr, self._req = node, 0, True
    self._data = source._data
    self._vc[0] += 1
    return self


set_row = op(
    "set_(x, y)",
    lambda x, y: y,
    node="NotImplemented",
    x=no_derivative("set_"),
    y=no_derivative("set_"),
)


def fill_diagonal_(self: Tensor, fill_value: Any, wrap: bool = False) -> Tensor:
    """Set the main diagonal to a number.

    Raises:
        RuntimeError: less than two dimensions, or more than two of different sizes.
    """
    if self._data.ndim < 2 or (self._data.ndim > 2 and len(set(self._data.shape)) > 1):
        raise errors.wrong_shape(
            "dimensions must larger than 1, and equal where there are more than two"
        )
    at = np.zeros(self._data.shape, bool)
    np.fill_diagonal(at, True, wrap)
    return METHODS["masked_fill_"](self, as_tensor(beside(at, self._data)), fill_value)  # type: ignore[no-any-return]


as_tensor = wrap
