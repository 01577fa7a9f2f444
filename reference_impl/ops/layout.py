"""How elements lie in memory: rows, and channels last."""

from __future__ import annotations

from typing import Any

from ..backend.base import in_order
from ..graph.row import KEEPS_LAYOUT, LINEAR
from ..tensor.tensor import Tensor
from .op import op
from .registry import method

__all__ = ["channels_row", "contiguous", "contiguous_row", "lies_in"]


@method("contiguous")
def contiguous(self: Tensor, memory_format: Any = None) -> Tensor:
    """The tensor itself where it is row-major (or has its channels last), else a copy that is."""
    if memory_format is not None and memory_format.ndim:
        order = memory_format.order(self._data.shape)
        return self if lies_in(self._data, order) else channels_row.apply(self, order)
    return self if self._data.flags.c_contiguous else contiguous_row.apply(self)


def lies_in(array: Any, order: list[int]) -> bool:
    """Whether the dimensions lie in memory in this order, the widest stride first, without gaps."""
    step = array.itemsize
    for d in reversed(order):
        if array.shape[d] != 1 and array.strides[d] != step:
            return False
        step *= array.shape[d]
    return True


def in_memory_order(x: Any, order: list[int]) -> Any:
    """A copy whose dimensions lie in memory in this order."""
    return in_order(x.transpose(order).copy(), x.shape, order)


channels_row = op(
    "channels_last(x, /, order)",
    in_memory_order,
    LINEAR | KEEPS_LAYOUT,
    node="CloneBackward0",
    x=lambda g: g,
)
contiguous_row = op(
    "contiguous(x)", lambda x: x.copy(order="C"), LINEAR, node="CloneBackward0", x=lambda g: g
)
