"""Writes through views: how they enter the history of the base.

A write through a view is recorded on the *base*: its new node (``CopySlices``) sends the gradient
of the viewed part through the operation and the rest past it. The view itself, and every other view
of that base, is then recorded anew from the base's new history when it is next used; the shared
version counter tells when that is needed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend.base import overlaps_itself
from ..graph.node import Node, new, next_seq
from ..tensor.tensor import Tensor, move_retention, replay
from .saved_hooks import unpack

__all__ = ["CopySlices", "written"]


def written(x: Tensor, node: Node | None) -> None:
    """Put ``node`` into the history of ``x`` after a write to it; None for a write that is not
    recorded."""
    if node is None:
        return
    view = x._view
    old = x._node
    if view is None:
        x._node, x._nr, x._req = node, 0, True
        if x._extra is not None and x._extra.retains:
            move_retention(x, old)
        return
    base = view.base
    slices = CopySlices.around(node, x, base)
    former = base._node
    base._node, base._nr, base._req = slices, 0, True
    if base._extra is not None and base._extra.retains:
        move_retention(base, former)
    replay(x, view)
    x._req = True


class CopySlices(Node):
    """A write through a view, as seen by the base."""

    __slots__ = ("inner", "overlaps", "shape", "steps")

    inner: Node
    steps: tuple[Any, ...]
    shape: tuple[int, ...]
    overlaps: bool
    """Whether elements of the base share memory: the write then changed more of them than it tells."""
    __module__ = "builtins"

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    @staticmethod
    def around(inner: Node, x: Tensor, base: Tensor) -> CopySlices:
        """The node that stands for ``inner``, recorded for the view ``x``, in the history of
        ``base``."""
        view: Any = x._view
        n: CopySlices = new(CopySlices)
        n.inner = inner
        n.steps = view.steps
        n._nexts = (base._node, *inner._nexts[1:])
        rest = (0,) * len(inner._nexts[1:]) if inner._nrs is None else inner._nrs[1:]
        n._nrs = (base._nr if base._node is not None else 0, *rest)
        n._kept = () if inner._kept is None else inner._kept
        n._seq = next_seq()
        n._extra = None
        n.shape = base._data.shape
        n.overlaps = overlaps_itself(base._data)
        return n

    _frees = True
    """Even if the operation saved nothing: a second pass through a write needs retain_graph, as in PyTorch."""

    def restored_inner(self) -> Node:
        """The recorded operation, with what it saved.

        Raises:
            RuntimeError: elements of the base share memory, or what was saved is freed.
        """
        if self.overlaps:
            raise errors.internal_overlap("writing to a part of it")
        self.inner._kept = restored(self.inner, self._kept)
        return self.inner

    def vjp(self, g: Any) -> tuple[Any, ...]:
        inner = self.restored_inner()
        whole = np.array(g) if isinstance(g, np.generic) else g.copy()  # a scalar cannot be written
        part = whole
        for step in self.steps:
            part = step(part)
        grads = inner.vjp(part.copy())
        part[...] = 0 if grads[0] is None else grads[0]
        return (None if self._nexts[0] is None else whole, *grads[1:])

    def vjp_graph(self, g: Any) -> tuple[Any, ...]:
        inner = self.restored_inner()
        whole = g.clone()
        part = whole
        for step in self.steps:
            part = step(part)
        grads = inner.vjp_graph(part.clone())
        if grads[0] is None:
            part.zero_()
        else:
            part.copy_(grads[0])
        return (None if self._nexts[0] is None else whole, *grads[1:])


def restored(inner: Node, saved: Any) -> Any:
    """What the recorded operation saved, brought back where saved-tensor hooks packed it."""
    if saved is None:
        raise errors.freed(inner.name())
    if inner._extra is None or not inner._extra.packed:
        return saved
    inner._kept = saved
    return unpack(inner)
