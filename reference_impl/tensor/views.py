"""Views: tensors that share memory, and which of them may be written to.

A view remembers its base and the steps that lead there. What a write through a view does to the
history of the others is the work of ``engine.copy_slices``.
"""

from __future__ import annotations

from typing import Any

from .. import errors
from ..backend.base import overlaps_itself, same_place, surely_meet
from ..graph.node import new
from ..graph.row import MULTI_VIEW, OVERLAP_DEPRECATED, READS_FIRST, WRITES_ONE_VALUE, Row
from ..mode import mode
from .state import INFERENCE, ViewInfo
from .tensor import Tensor

__all__ = ["check_history", "check_writable", "make_view"]


def make_view(t: Tensor, x: Tensor, row: Row, statics: tuple[Any, ...], nr: int) -> None:
    """Make ``t``, the result of ``row`` with number ``nr``, a view of ``x``; of an inference tensor
    only another look at its memory, of which nobody keeps account and nothing is recorded."""
    if x._vc is INFERENCE:
        t._vc, t._node, t._req = INFERENCE, None, False
        return
    generic: Any = row.generic
    multi = row.flags & MULTI_VIEW

    def step(source: Any) -> Any:
        return generic(source, *statics)[nr] if multi else generic(source, *statics)

    info: ViewInfo = new(ViewInfo)
    parent = x._view
    info.base = x if parent is None else parent.base
    info.steps = (step,) if parent is None else (*parent.steps, step)
    info.req = False
    info.strided = t._data.dtype is x._data.dtype and (parent is None or parent.strided)
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


def check_history(what: str, x: Tensor, tracked: bool) -> None:
    """Refuse a change that would corrupt history; ``x`` has been refreshed.

    Raises:
        RuntimeError: a leaf that requires grad or a view of one, a view without rewritable history,
            or an inference tensor outside inference mode.
    """
    if x._vc is INFERENCE and not mode.inference:
        raise errors.inference_in_place()
    if id(x._vc) in mode.shared:
        raise errors.within_transform(
            f"vmap: {what} is not possible on a tensor that all entries share. Give the tensor to the "
            "function as an argument that is mapped over, or work on its clone()."
        )
    if mode.grad and not mode.inference and (tracked or x._req):
        view = x._view
        if view is not None:
            if view.origin:
                raise errors.protected_view_in_place(what, view.origin)
            if x._req and view.base._node is None:
                raise errors.leaf_view_changed_in_place(what)
        if x._req and x._node is None:
            raise errors.leaf_changed_in_place(what)
        if tracked and id(x._vc) in mode.captured:
            raise errors.within_transform(
                f"{what} would mutate a captured tensor while a transform runs the function. Give "
                "the tensor to the function as an argument, or work on its clone()."
            )


def check_writable(
    what: str, x: Tensor, others: tuple[Any, ...], tracked: bool, flags: int = 0
) -> bool:
    """Refuse a write that would corrupt data or history; ``x`` has been refreshed. Gives whether
    elements that share a place in memory are written, so that only what changes may be. ``flags``
    are those of the row that writes.

    Raises:
        RuntimeError: as ``check_history``, or overlapping memory.
    """
    check_history(what, x, tracked)
    target = x._data
    stretched = not flags & WRITES_ONE_VALUE and overlaps_itself(target)
    if stretched:
        if not flags & OVERLAP_DEPRECATED:
            raise errors.internal_overlap(what)
        errors.caution(
            f"{what} on an expanded tensor writes to several elements at once, which is "
            "deprecated. Write to its clone()."
        )
    for y in others:
        if isinstance(y, Tensor) and y is not x:
            b = y._data
            if surely_meet(target, b) and not (flags & READS_FIRST or same_place(b, target)):
                raise errors.partial_overlap(what)
    return stretched
