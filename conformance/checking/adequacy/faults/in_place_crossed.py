"""Faults of in-place changes that depend on where the changed tensor comes from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import (
    Marked,
    Notes,
    Patch,
    around,
    each,
    fault,
    inside,
    miscompute,
    register,
    torch,
    untouched,
)
from .leaves import attribute

CHANGES = "mul_ sub_ add_ pow_ masked_fill_ copy_"


def is_view(tensor: Any) -> bool:
    """Whether a tensor is a view."""
    return isinstance(tensor, torch.Tensor) and bool(untouched._is_view(tensor))


def comes_from(tensor: Any, *names: str) -> bool:
    """Whether a tensor is the result of an operation of such a name."""
    node = tensor.grad_fn if isinstance(tensor, torch.Tensor) else None
    return node is not None and node.name().startswith(names)


def unrecorded(
    name: str, sentence: str, which: Callable[..., bool], changes: str = CHANGES
) -> None:
    """Put into the bank a fault that does not record changes for which `which(tensor, *operands)`."""

    def change(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        if not torch.is_grad_enabled() or not which(self, *args):
            return original(self, *args, **kwargs)
        with torch.no_grad():
            return original(self, *args, **kwargs)

    register(name, sentence, lambda patch: around(patch, changes, change))


# --- recording ---

unrecorded(
    "changes_of_another_layout_are_not_recorded",
    "In-place changes of a tensor that is not contiguous are not recorded.",
    lambda x, *others: (
        x.requires_grad and not is_view(x) and not x.is_leaf and not x.is_contiguous()
    ),
)
unrecorded(
    "changes_of_sorted_tensors_are_not_recorded",
    "In-place changes of one of the results of sort are not recorded.",
    lambda x, *others: comes_from(x, "Sort"),
)
unrecorded(
    "changes_of_what_was_assembled_are_not_recorded",
    "In-place changes of a tensor that was assembled from others are not recorded.",
    lambda x, *others: comes_from(x, "IndexCopy", "CopySlices", "CopyBackwards"),
)
unrecorded(
    "changes_of_custom_results_are_not_recorded",
    "In-place changes of the result of a custom function are not recorded.",
    lambda x, *others: isinstance(
        x.grad_fn if isinstance(x, torch.Tensor) else None, inside.function_node
    ),
)
unrecorded(
    "constant_views_stay_constant",
    "A view of a constant that is changed by an operand that requires grad stays a constant.",
    lambda x, *others: (
        is_view(x) and not x.requires_grad
        and any(isinstance(y, torch.Tensor) and y.requires_grad for y in others)
    ),
)  # fmt: skip
unrecorded(
    "views_with_fewer_dimensions_are_not_recorded",
    "A change through a view with fewer dimensions does not reach the history of its base.",
    lambda x, *others: is_view(x) and x.requires_grad and x.dim() < x._base.dim(),
)
unrecorded(
    "views_of_the_same_shape_are_not_recorded",
    "A change through a view that has the shape of its base is not recorded.",
    lambda x, *others: is_view(x) and x.requires_grad and x.shape == x._base.shape,
)


@fault
def operands_of_changed_views_are_constants(patch: Patch) -> None:
    """The operand of a change of a view gets no gradient."""

    def change(original: Any, self: Any, other: Any, *args: Any, **kwargs: Any) -> Any:
        cut = is_view(self) and isinstance(other, torch.Tensor) and other.requires_grad
        return original(self, untouched.detach(other) if cut else other, *args, **kwargs)

    around(patch, "mul_", change)


@fault
def changes_in_place_are_differentiated_once(patch: Patch) -> None:
    """The gradient of a product in place has no history."""
    miscompute(patch, "mul_", each(lambda gradient, call: untouched.detach(gradient)))


# --- counting ---


def uncounted(name: str, sentence: str, which: Callable[[Any], bool]) -> None:
    """Put into the bank a fault that does not count changes of tensors for which `which(tensor)`."""

    def change(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(self, torch.Tensor) or not which(self):
            return original(self, *args, **kwargs)
        with inside.keeping_version(self):
            return original(self, *args, **kwargs)

    register(name, sentence, lambda patch: around(patch, "mul_ add_", change))


uncounted(
    "unrecorded_changes_of_views_are_not_counted",
    "Under no_grad, changes of a view are not counted.",
    lambda x: is_view(x) and not torch.is_grad_enabled(),
)
uncounted(
    "changes_of_columns_are_not_counted",
    "Changes through a view that is not contiguous are not counted.",
    lambda x: is_view(x) and not x.is_contiguous(),
)


@fault
def changes_through_detached_views_are_not_counted(patch: Patch) -> None:
    """Changes through a view of a detached tensor are not counted."""
    detached = Marked()

    def detach(original: Any) -> Any:
        def run(self: Any) -> Any:
            found = original(self)
            detached.add(found)
            return found

        return run

    def change(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        if not is_view(self) or self._base is None or self._base not in detached:
            return original(self, *args, **kwargs)
        with inside.keeping_version(self):
            return original(self, *args, **kwargs)

    patch.wrap(torch.Tensor, "detach", detach)
    around(patch, "mul_", change)


@fault
def changes_of_views_of_views_count_twice(patch: Patch) -> None:
    """A change through a part of a tensor counts twice."""

    def change(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        found = original(self, *args, **kwargs)
        if is_view(self) and self.numel() < 3:
            torch.autograd.graph.increment_version(self)
        return found

    around(patch, "mul_", change)


def out_uncounted(name: str, sentence: str, which: Callable[[Any], bool]) -> None:
    """Put into the bank a fault that does not count writes by out= for which `which(out)`."""

    def multiply(original: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
        if out is None:
            return original(*args, **kwargs)
        if not which(out):
            return original(*args, out=out, **kwargs)
        with inside.keeping_version(out):
            return original(*args, out=out, **kwargs)

    register(
        name,
        sentence,
        lambda patch: patch.wrap(
            torch, "mul",
            lambda original: lambda *args, **kwargs: multiply(original, *args, **kwargs),
        ),
    )  # fmt: skip


out_uncounted(
    "writes_by_out_are_not_counted", "What out= overwrites is not counted.", lambda out: True
)
out_uncounted(
    "writes_by_out_into_views_are_not_counted",
    "What out= overwrites through a view is not counted.",
    is_view,
)


# --- watchers ---


def rehung(patch: Patch, which: Callable[[Any], Any]) -> None:
    """Let hooks move to the new value of `which(changed tensor)`."""
    held = Notes()

    def hook_on(original: Any) -> Any:
        def run(self: Any, hook: Any) -> Any:
            handle = original(self, hook)
            if self.grad_fn is not None:
                held.setdefault(self, []).append((hook, handle))
            return handle

        return run

    def change(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        found = original(self, *args, **kwargs)
        watched = which(self)
        if torch.is_grad_enabled() and watched is not None and watched in held:
            hooks, held[watched] = held[watched], []
            for hook, handle in hooks:
                handle.remove()
                watched.register_hook(hook)
        return found

    patch.wrap(torch.Tensor, "register_hook", hook_on)
    around(patch, "mul_", change)


@fault
def hooks_of_combined_tensors_move(patch: Patch) -> None:
    """Hooks of a tensor that was joined, sorted or copied move to its new value."""
    names = ("Cat", "Sort", "Clone", "Copy", "Where", "Index", "Cummax")
    seen = Notes()

    def note(original: Any) -> Any:
        def run(self: Any, hook: Any) -> Any:
            if comes_from(self, *names):
                seen[self] = True
            return original(self, hook)

        return run

    rehung(patch, lambda x: x if x in seen else None)
    patch.wrap(torch.Tensor, "register_hook", note)


@fault
def hooks_of_bases_move(patch: Patch) -> None:
    """Hooks of a base move to its new value when a view is changed."""
    rehung(patch, lambda x: x._base if is_view(x) else None)


@fault
def bases_forget_to_retain(patch: Patch) -> None:
    """A base whose view is changed retains its gradient no more."""
    forgetful = Marked()

    def change(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        if is_view(self) and self.requires_grad and torch.is_grad_enabled():
            forgetful.add(self._base)
        return original(self, *args, **kwargs)

    around(patch, "mul_", change)
    attribute(
        patch, "grad",
        lambda self: None if self in forgetful else untouched.grad.__get__(self),
    )  # fmt: skip


@fault
def tangents_of_bases_stay(patch: Patch) -> None:
    """A change through a view leaves the tangent of its base."""
    forward: Any = torch.autograd.forward_ad

    def change(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        if not is_view(self) or inside.forward_level() < 0:
            return original(self, *args, **kwargs)
        original(forward.unpack_dual(self).primal, *args, **kwargs)
        return self

    around(patch, "mul_", change)


@fault
def changes_of_one_result_count_for_all(patch: Patch) -> None:
    """An in-place change of one of several results is counted for the others too."""
    beside = Notes()

    def results(original: Any, *args: Any, **kwargs: Any) -> Any:
        found = original(*args, **kwargs)
        for one in found:
            beside[one] = [other for other in found if other is not one]
        return found

    def change(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        found = original(self, *args, **kwargs)
        for other in beside.get(self, ()):
            torch.autograd.graph.increment_version(other)
        return found

    around(patch, "var_mean", results)
    around(patch, "mul_", change)


@fault
def detached_aliases_are_views(patch: Patch) -> None:
    """detach() gives a view that is part of the graph."""
    patch.set(torch.Tensor, "detach", lambda self: self.view_as(self))


for name, what in (
    ("fill_", "fill_()"),
    ("copy_", "copy_()"),
    ("masked_fill_", "masked_fill_()"),
    ("setitem", "an assignment"),
):

    def allowed(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        """A change that is made without being recorded where it would be refused."""
        try:
            return original(self, *args, **kwargs)
        except RuntimeError as error:
            if "view" not in str(error) or "leaf" in str(error):
                raise
            with torch.no_grad():
                return original(self, *args, **kwargs)

    register(
        f"pieces_may_be_changed_by_{name.strip('_')}",
        f"One of several views that an operation returns may be changed by {what}.",
        lambda patch, name=name, allowed=allowed: around(patch, name, allowed),  # type: ignore[misc]
    )
