"""Where paths through the graph end: the node that adds a gradient into ``.grad`` of its leaf."""

from __future__ import annotations

import weakref
from threading import RLock
from typing import TYPE_CHECKING, Any

from ..graph.node import Node, new

if TYPE_CHECKING:
    from .state import TensorExtra
    from .tensor import Tensor

__all__ = ["MAKING", "AccumulateGrad", "accumulator", "arriving_dtype"]

MAKING = RLock()
"""Held while what a tensor has one of is made, which another thread may be about to make as well."""


class AccumulateGrad(Node):
    """The end of every path: adds the gradient into ``.grad`` of its leaf."""

    __slots__ = ("variable",)
    __module__ = "builtins"

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    accumulates = True
    variable: Tensor

    def out_meta(self, nr: int) -> tuple[tuple[int, ...], Any, Any]:
        data = self.variable._data
        return data.shape, data.dtype, self.variable.device


def accumulator(x: Tensor) -> AccumulateGrad | None:
    """The AccumulateGrad node of a leaf: one and the same for as long as anything holds it.

    None for a view that requires grad only because its base came to: nothing links the two.
    """
    if x._view is not None and not x._view.req:
        return None
    extra = x.ensure_extra()
    known: AccumulateGrad | None = None
    if extra.accumulator is not None:
        known = extra.accumulator()
        if known is not None:
            return known
    with MAKING:
        if extra.accumulator is not None:
            known = extra.accumulator()
        return make_accumulator(x, extra) if known is None else known


def arriving_dtype(end: Node | None, dtype: Any, found: Any) -> Any:
    """The array dtype in which a gradient of dtype ``found`` goes to a node, which has a value of ``dtype``:
    that, unless the node is of a leaf with a ``grad_dtype`` of its own, where None stands for any."""
    if type(end) is not AccumulateGrad or end.variable._extra is None:
        return dtype
    wanted = end.variable._extra.grad_dtype
    if wanted is False:
        return dtype
    if wanted is not None:
        return wanted.np
    return dtype if found.kind == "c" and dtype.kind != "c" else found


def make_accumulator(x: Tensor, extra: TensorExtra) -> AccumulateGrad:
    """A new AccumulateGrad node of a leaf."""
    n: AccumulateGrad = new(AccumulateGrad)
    n.variable = x
    n._nexts = ()
    n._nrs = None
    n._kept = ()
    n._seq = -(1 << 62)
    n._extra = None
    extra.accumulator = weakref.ref(n)
    return n
