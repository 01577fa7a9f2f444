"""Views: tensors that share memory, and what a write through one of them does to the others'
history.

A view remembers its base and the steps that lead there. A write through a view is recorded on the
*base*: its new node (``CopySlices``) sends the gradient of the viewed part through the operation
and the rest past it. The view itself, and every other view of that base, is then recorded anew from
the base's new history when it is next used; the shared version counter tells when that is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import errors
from ..backend.base import overlaps_itself, same_place, surely_meet
from ..backend.meta import MetaArray
from ..graph.node import Node, accumulator, new, next_seq
from ..mode import mode
from .state import INFERENCE, ViewInfo
from .tensor import Tensor, move_retention, replay

if TYPE_CHECKING:
    from ..ops.op import Row

__all__ = ["CopySlices", "check_history", "check_writable", "make_view", "written"]

MULTI_VIEW = 128
SAME_EVERYWHERE = ("fill_",)
"""Writes of one value, which elements that share a place in memory may receive."""
STILL_WRITTEN = ("masked_fill_", "index_fill_", "index_put_")
"""Writes that such elements still receive, which is deprecated."""
READ_FIRST = ("fill_", "masked_fill_", "index_fill_", "masked_scatter_")
"""Writes whose operand is read before the first element is written."""


def make_view(t: Tensor, x: Tensor, row: Row, statics: tuple[Any, ...]) -> None:
    """Make ``t`` a view of ``x``, made by ``row``; of an inference tensor only another look at its
    memory, of which nobody keeps account."""
    if x._vc is INFERENCE:
        t._vc = INFERENCE
        return
    generic: Any = row.generic
    nr = t._nr
    multi = row.flags & MULTI_VIEW

    def step(source: Any) -> Any:
        return generic(source, *statics)[nr] if multi else generic(source, *statics)

    info: ViewInfo = new(ViewInfo)
    parent = x._view
    info.base = x if parent is None else parent.base
    info.steps = (step,) if parent is None else (*parent.steps, step)
    info.req = False
    same = t._data.dtype is x._data.dtype and type(t._data) is not MetaArray
    info.strided = same and (parent is None or parent.strided)
    info.origin = "" if parent is None else parent.origin
    if multi and not info.origin and mode.grad:
        info.origin = f"{row.name}()"
    if mode.inference:
        info.origin = info.origin or "in inference mode"
    elif not mode.grad:
        info.origin = info.origin or "under no_grad()"
    t._vc = x._vc
    info.seen = x._vc[0]
    t._view = info
    if t._node is None:
        t._req = info.base._req


def check_history(what: str, x: Tensor, tracked: bool) -> None:
    """Refuse a change that would corrupt history; ``x`` has been refreshed.

    Raises:
        RuntimeError: a leaf that requires grad or a view of one, a view without rewritable history,
            or an inference tensor outside inference mode.
    """
    if x._vc is INFERENCE and not mode.inference:
        raise errors.inference_in_place()
    if mode.grad and not mode.inference and (tracked or x._req):
        view = x._view
        if view is not None:
            if view.origin:
                raise errors.protected_view_in_place(what, view.origin)
            if x._req and view.base._node is None:
                raise errors.leaf_view_changed_in_place(what)
        if x._req and x._node is None:
            raise errors.leaf_changed_in_place(what)


def check_writable(what: str, x: Tensor, others: tuple[Any, ...], tracked: bool) -> bool:
    """Refuse a write that would corrupt data or history; ``x`` has been refreshed. Gives whether
    elements that share a place in memory are written, so that only what changes may be.

    Raises:
        RuntimeError: as ``check_history``, or overlapping memory.
    """
    check_history(what, x, tracked)
    target = x._data
    stretched = what not in SAME_EVERYWHERE and overlaps_itself(target)
    if stretched:
        if what not in STILL_WRITTEN:
            raise errors.internal_overlap(what)
        errors.caution(
            f"{what} on an expanded tensor writes to several elements at once, which is "
            "deprecated. Write to its clone()."
        )
    for y in others:
        if isinstance(y, Tensor) and y is not x:
            b = y._data
            if surely_meet(target, b) and what not in READ_FIRST and not same_place(b, target):
                raise errors.partial_overlap(what)
    return stretched


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
    view.seen = -1
    replay(x, view)
    x._req = True


class CopySlices(Node):
    """A write through a view, as seen by the base."""

    __slots__ = ("inner", "shape", "steps")

    inner: Node
    steps: tuple[Any, ...]
    shape: tuple[int, ...]
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
        nr = 0 if inner._nrs is None else inner._nrs[0]
        inner.ensure_extra().producer = (inner._nexts[0], nr)
        before = base._node or (accumulator(base) if base._req else None)
        n._nexts = (before, *inner._nexts[1:])
        rest = (0,) * len(inner._nexts[1:]) if inner._nrs is None else inner._nrs[1:]
        n._nrs = (base._nr if base._node is not None else 0, *rest)
        if not any(n._nrs):
            n._nrs = None
        n._kept = inner._kept
        n._seq = next_seq()
        n._extra = None
        n.shape = base._data.shape
        return n

    @property
    def _frees(self) -> bool:  # type: ignore[override]
        """As the operation that was recorded."""
        return self.inner._frees

    def vjp(self, g: Any) -> tuple[Any, ...]:
        inner = self.inner
        inner._kept = restored(inner, self._kept)
        whole = g.copy()
        part = whole
        for step in self.steps:
            part = step(part)
        grads = inner.vjp(part.copy())
        part[...] = 0 if grads[0] is None else grads[0]
        return (None if self._nexts[0] is None else whole, *grads[1:])

    def vjp_graph(self, g: Any) -> tuple[Any, ...]:
        inner = self.inner
        inner._kept = restored(inner, self._kept)
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
    if saved is None or inner._extra is None or not inner._extra.packed:
        return saved
    from ..engine.saved_hooks import unpack

    inner._kept = saved
    return unpack(inner)
