"""Faults of changes in place of views: which are refused, and which views follow."""

from __future__ import annotations

import re
import sys
import weakref
from typing import Any

from ..breaking import (
    Marked,
    Notes,
    Patch,
    around_pass,
    engine_name,
    fault,
    inside,
    leaves_below,
    operations_below,
    replaces,
    torch,
    untouched,
)
from .detaching import SHAPES
from .in_place import VIEWS, changed, unless_noted, unrecorded
from .in_place_refusals import refusing

PROTECTED = ("view-in-place", "Output 0 of split is a view and is being modified inplace.")
OVERLAPPING = (
    "overlapping-memory",
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
    "single memory location.",
)


def seeing(patch: Patch, note: Any, names: tuple[str, ...] = VIEWS) -> None:
    """Call `note(view, tensor, operation)` with every view and what it was taken of."""

    def make(original: Any) -> Any:
        def view(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            if isinstance(result, torch.Tensor) and result._is_view() and result is not self:
                note(result, self)
            return result

        return view

    changed(patch, make, names)


def after_a_change(patch: Patch, then: Any) -> None:
    """Call `then(tensor)` with every tensor that was changed in place."""

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            then(self)
            return result

        return change

    changed(patch, make)


def lifting(patch: Patch, pattern: str, instead: Any, when: Any = lambda self: True) -> None:
    """Do `instead(original, tensor, *arguments)` where a change is refused in words of a pattern."""

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            kept = when(self)
            try:
                return original(self, *args, **kwargs)
            except RuntimeError as error:
                if not kept or not re.search(pattern, str(error)):
                    raise
                return instead(original, self, *args, **kwargs)

        return change

    changed(patch, make)


def as_ordinary_view(view: Any, base: Any) -> Any:
    """An ordinary view of the same place."""
    return untouched.as_strided(base, view.shape, view.stride(), view.storage_offset())


def in_the_base(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """Record a change as one through an ordinary view."""
    original(as_ordinary_view(self, self._base), *args, **kwargs)
    return self


# --- overlapping memory ---


@fault
def every_expansion_refuses_changes(patch: Patch) -> None:
    """Every expanded tensor refuses a change in place, even where nothing is repeated."""
    expanded: Any = Marked()
    seeing(patch, lambda view, _: expanded.add(view), ("expand", "expand_as"))
    refusing(patch, lambda x, *_: x in expanded, OVERLAPPING)


@fault
def a_write_moves_repeated_elements_apart(patch: Patch) -> None:
    """A tensor whose elements share memory gets memory of its own when part of it is written."""

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            if 0 in self.stride() and not self._is_view():
                self.data = untouched.clone(untouched.detach(self))
            return original(self, *args, **kwargs)

        return change

    changed(patch, make, ("__setitem__",))


@fault
def operands_may_overlap_the_target(patch: Patch) -> None:
    """An operand that overlaps the target of a change in place in part is accepted."""

    def instead(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        copies = [untouched.clone(x) if isinstance(x, torch.Tensor) else x for x in args]
        return original(self, *copies, **kwargs)

    lifting(patch, "some elements of the input tensor", instead)


def of_one_base(x: Any, y: Any) -> bool:
    """Whether two different tensors are views of one."""
    return (
        isinstance(y, torch.Tensor) and y is not x and x._is_view() and y._is_view()
        and x._base is y._base
    )  # fmt: skip


def same_place(x: Any, y: Any) -> bool:
    """Whether two views of one tensor are of the same elements."""
    return (x.shape, x.stride(), x.storage_offset()) == (y.shape, y.stride(), y.storage_offset())


def reaches(x: Any) -> range:
    """The memory from a view's first element to its last."""
    steps = sum((size - 1) * step for size, step in zip(x.shape, x.stride(), strict=True))
    return range(x.storage_offset(), x.storage_offset() + steps + 1)


@fault
def an_operand_of_the_same_memory_is_refused(patch: Patch) -> None:
    """A view of the very memory that is changed in place is refused as the operand."""
    refusing(
        patch,
        lambda x, *args: any(of_one_base(x, y) and same_place(x, y) for y in args),
        OVERLAPPING,
    )


@fault
def interleaving_parts_are_taken_to_overlap(patch: Patch) -> None:
    """Parts of one memory that only interleave are refused as if they overlapped."""

    def meet(x: Any, y: Any) -> bool:
        one, other = reaches(x), reaches(y)
        return one.start < other.stop and other.start < one.stop and not same_place(x, y)

    refusing(
        patch, lambda x, *args: any(of_one_base(x, y) and meet(x, y) for y in args), OVERLAPPING
    )


@fault
def changes_of_shape_are_refused_as_writes(patch: Patch) -> None:
    """A change of shape in place is refused where elements share a place in memory."""
    refusing(patch, lambda x, *_: 0 in x.stride(), OVERLAPPING, SHAPES)


# --- views that were taken while nothing was recorded ---


@fault
def changes_of_views_made_unrecorded_are_recorded(patch: Patch) -> None:
    """A change in place of a view that was taken under no_grad is recorded."""
    lifting(patch, "no_grad", in_the_base)


@fault
def changes_of_inference_views_are_recorded(patch: Patch) -> None:
    """A change in place of a view that was taken in inference mode is recorded."""
    lifting(patch, "inference mode", in_the_base, lambda x: x._is_view())


@fault
def writes_to_views_under_no_grad_detach_the_base(patch: Patch) -> None:
    """A change through a view under no_grad detaches the base."""

    def then(x: Any) -> None:
        base = x._base if x._is_view() else None
        if base is not None and base.grad_fn is not None and not torch.is_grad_enabled():
            untouched.detach_(base)

    after_a_change(patch, then)


@fault
def changes_of_results_under_no_grad_are_recorded(patch: Patch) -> None:
    """A change in place of a non-leaf under no_grad is recorded."""

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            with torch.set_grad_enabled(torch.is_grad_enabled() or self.grad_fn is not None):
                return original(self, *args, **kwargs)

        return change

    changed(patch, make)


@fault
def views_made_unrecorded_are_read_only(patch: Patch) -> None:
    """A view taken under no_grad of what requires grad cannot be changed under no_grad either."""
    marked: Any = Marked()

    def note(view: Any, x: Any) -> None:
        if x.requires_grad and not torch.is_grad_enabled():
            marked.add(view)

    seeing(patch, note)
    refusing(patch, lambda x, *_: x in marked and not torch.is_grad_enabled(), PROTECTED)


# --- flags of views ---


def flagged_views(patch: Patch) -> Any:
    """The views that were made to require grad, by the base."""
    flagged: Any = Notes()

    def make(original: Any) -> Any:
        def requires_grad_(self: Any, value: bool = True) -> Any:
            result = original(self, value)
            if value and self._is_view() and self.is_leaf:
                flagged.setdefault(self._base, []).append(weakref.ref(self))
            return result

        return requires_grad_

    patch.wrap(torch.Tensor, "requires_grad_", make)
    return flagged


@fault
def views_forget_their_flag(patch: Patch) -> None:
    """A view that was made to require grad no longer does when its base is changed in place."""
    flagged = flagged_views(patch)

    def then(x: Any) -> None:
        for ref in flagged.get(x, []):
            if ref() is not None and ref().is_leaf:
                ref().requires_grad_(False)

    after_a_change(patch, then)


@replaces("Tensor.requires_grad_")
def the_flag_of_a_view_is_that_of_its_base(original: Any, self: Any, value: bool = True) -> Any:
    """Making a view require grad makes its base require grad."""
    if self._is_view() and self.is_leaf and self._base.is_leaf:
        original(self._base, value)
    return original(self, value)


@fault
def views_that_are_leaves_stay_leaves(patch: Patch) -> None:
    """A view that was made a leaf stays one when its base comes to require grad."""
    flagged = flagged_views(patch)
    unless_noted(patch, lambda x: x in flagged)


@fault
def views_of_leaves_that_are_views_may_be_changed(patch: Patch) -> None:
    """A view of a leaf that is a view itself may be changed in place: it happens unrecorded."""

    def when(x: Any) -> bool:
        return (
            x._is_view()
            and x.requires_grad
            and not x.is_leaf
            and any(leaf._is_view() for leaf in leaves_below([x]))
        )

    unrecorded(patch, when)


# --- catching up with the base ---


def stale(patch: Patch) -> Any:
    """Whether a view's base was changed since the view was taken: a function of the view."""
    taken: Any = Notes()

    def note(view: Any, x: Any) -> None:
        if not view.is_inference():
            taken[view] = view._version

    seeing(patch, note)
    return lambda view: view in taken and view._version != taken[view]


@fault
def views_catch_up_in_the_mode_at_hand(patch: Patch) -> None:
    """A view whose base was changed does not require grad where that is asked while nothing is
    recorded."""
    is_stale = stale(patch)
    flag: Any = torch.Tensor.requires_grad

    def get(self: Any) -> Any:
        return flag.__get__(self) and (torch.is_grad_enabled() or not is_stale(self))

    patch.set(torch.Tensor, "requires_grad", property(get, flag.__set__))


@fault
def catching_up_leaves_recording_on(patch: Patch) -> None:
    """Asking a view whose base was changed whether it requires grad leaves recording on."""
    is_stale = stale(patch)
    flag: Any = torch.Tensor.requires_grad

    def get(self: Any) -> Any:
        if is_stale(self) and not torch.is_grad_enabled():
            inside.set_recording(True)
        return flag.__get__(self)

    patch.set(torch.Tensor, "requires_grad", property(get, flag.__set__))


def after_catching_up(patch: Patch, names: tuple[str, ...], when: Any, change: Any) -> None:
    """Let the node that a view has after its base was changed return `change(gradient, cotangent)`."""
    views: Any = Notes()

    def note(view: Any, x: Any) -> None:
        if when(view, x):
            views.setdefault(view._base, []).append(weakref.ref(view))

    def then(x: Any) -> None:
        for ref in views.get(x, []):
            if ref() is not None and ref().grad_fn is not None:
                ref().grad_fn.register_hook(lambda gs, cs: (change(gs[0], cs[0]), *gs[1:]))

    seeing(patch, note, names)
    after_a_change(patch, then)


@fault
def expanded_views_that_caught_up_keep_the_last(patch: Patch) -> None:
    """Of the gradients of an expanded view whose base was changed, the last copy's counts instead of
    their sum."""

    def last(gradient: Any, cotangent: Any) -> Any:
        for dim, size in enumerate(gradient.shape):
            start = cotangent.shape[dim] - size
            cotangent = untouched.narrow(cotangent, dim, start, size)
        return cotangent

    after_catching_up(patch, ("expand", "expand_as"), lambda view, x: True, last)


@fault
def views_of_views_of_another_dtype_lose_their_place(patch: Patch) -> None:
    """A view of a view of another dtype reads its base, once that was changed, at the wrong place."""
    after_catching_up(
        patch,
        VIEWS,
        lambda view, x: x._is_view() and view.dtype != view._base.dtype,
        lambda gradient, cotangent: gradient.roll(1, 0) if gradient.dim() else gradient,
    )


def references(view: Any) -> int:
    """How many references there are to the base of a view."""
    base = view._base
    return sys.getrefcount(base)


@fault
def views_do_not_hold_their_base(patch: Patch) -> None:
    """A view cannot be changed in place once nothing but views refers to its base."""
    lone: Any = untouched.narrow(torch.ones(2), 0, 0, 1)
    of_a_lone_view = references(lone)
    views: Any = Notes()

    def is_gone(x: Any) -> bool:
        if not x._is_view() or x._base.grad_fn is None:
            return False
        alive = sum(ref() is not None for ref in views.get(x._base, []))
        # The reference's views hold the base from Python, PyTorch's from C++.
        others = alive - 1 if engine_name() == "reference" else 0
        return references(x) - others <= of_a_lone_view

    seeing(patch, lambda view, _: views.setdefault(view._base, []).append(weakref.ref(view)))
    refusing(patch, lambda x, *_: is_gone(x), ("storage", "the base of the view is gone"))


@fault
def writes_to_views_are_retained(patch: Patch) -> None:
    """A graph in which a view was written to in place is retained after every pass."""

    def around(run: Any, options: Any) -> Any:
        if any("CopySlices" in node.name() for node in operations_below(options.roots)):
            options.retain_graph = True
        return run(options)

    around_pass(patch, around)
