"""Faults of setting requires_grad: by assignment, by the method, and for dtypes that cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import Marked, Patch, around_pass, fault, leaves_below, torch, untouched
from .leaves import attribute
from .leaves_over_time import flag_is_set

NOT_ABLE = "only Tensors of floating point and complex dtype can require gradients"

Change = Callable[[Any, Any, Callable[[Any], Any]], Any]


def flag_is_assigned(patch: Patch, change: Change) -> None:
    """Let `change(tensor, value, put)` stand for an assignment to requires_grad."""

    def put(self: Any, value: Any) -> None:
        change(self, value, lambda chosen: untouched.requires_grad.__set__(self, chosen))

    attribute(patch, "requires_grad", put=put)


def flag_is_set_by_method(patch: Patch, change: Change) -> None:
    """Let requires_grad_() return `change(tensor, value, put)`."""

    def make(original: Any) -> Any:
        def requires_grad_(self: Any, requires_grad: Any = True) -> Any:
            return change(self, requires_grad, lambda chosen: original(self, chosen))

        return requires_grad_

    patch.wrap(torch.Tensor, "requires_grad_", make)


def shown_flag(patch: Patch) -> Marked:
    """Tensors that show requires_grad True, whatever the engine knows of them."""
    marked = Marked()
    original: Any = torch.Tensor.requires_grad
    attribute(patch, "requires_grad", lambda self: self in marked or original.__get__(self))
    return marked


def holds_integers(tensor: Any) -> bool:
    """Whether a tensor holds integers or booleans."""
    return not (tensor.is_floating_point() or tensor.is_complex())


def result_of(tensor: Any) -> bool:
    return tensor.grad_fn is not None


# --- by the method ---


@fault
def setting_the_flag_gives_another_tensor(patch: Patch) -> None:
    """requires_grad_() sets the flag of a new tensor and returns that."""
    flag_is_set_by_method(
        patch,
        lambda tensor, value, put: (
            put(value) if result_of(tensor)
            else untouched.requires_grad_(tensor.detach(), value)
        ),
    )  # fmt: skip


@fault
def setting_the_flag_gives_a_recorded_copy(patch: Patch) -> None:
    """requires_grad_() returns a recorded copy of the tensor."""
    flag_is_set_by_method(
        patch, lambda tensor, value, put: put(value).clone() if value else put(value)
    )


@fault
def setting_the_flag_twice_clears_it(patch: Patch) -> None:
    """requires_grad_() on a leaf that requires grad clears the flag."""
    flag_is_set_by_method(
        patch,
        lambda tensor, value, put: put(value and (result_of(tensor) or not tensor.requires_grad)),
    )


@fault
def the_method_never_clears_the_flag(patch: Patch) -> None:
    """requires_grad_(False) of a leaf does nothing."""
    flag_is_set_by_method(
        patch,
        lambda tensor, value, put: put(value or (tensor.requires_grad and tensor.is_leaf)),
    )


@fault
def setting_the_flag_makes_a_result_a_leaf(patch: Patch) -> None:
    """requires_grad_() of a non-leaf makes a leaf out of it."""
    flag_is_set_by_method(
        patch,
        lambda tensor, value, put: (
            untouched.requires_grad_(tensor.detach_(), True)
            if value and result_of(tensor) and not tensor._is_view() else put(value)
        ),
    )  # fmt: skip


@fault
def the_method_does_not_check_the_dtype(patch: Patch) -> None:
    """requires_grad_() of integers is accepted, and they require grad then."""
    marked = shown_flag(patch)

    def change(tensor: Any, value: Any, put: Any) -> Any:
        if not holds_integers(tensor):
            return put(value)
        if value:
            marked.add(tensor)
        return tensor

    flag_is_set_by_method(patch, change)


@fault
def the_method_takes_numbers_for_the_flag(patch: Patch) -> None:
    """A number given to requires_grad_() counts by its truth."""
    flag_is_set_by_method(
        patch,
        lambda tensor, value, put: put(bool(value) if isinstance(value, int | float) else value),
    )


# --- by assignment ---


@fault
def assignment_never_clears_the_flag(patch: Patch) -> None:
    """Assigning False to requires_grad of a leaf does nothing."""

    def change(tensor: Any, value: Any, put: Any) -> None:
        if value is not False or result_of(tensor):
            put(value)

    flag_is_assigned(patch, change)


def assigned_flag_is_shown_only(patch: Patch, applies: Callable[[Any], bool]) -> None:
    """Let the flag that is assigned to a tensor for which `applies(tensor)` be shown, and no more."""
    marked = shown_flag(patch)

    def change(tensor: Any, value: Any, put: Any) -> None:
        if tensor in marked:
            marked.notes.pop(tensor)
        if value is True and applies(tensor):
            marked.add(tensor)
        else:
            put(value)

    flag_is_assigned(patch, change)


@fault
def an_assigned_flag_is_not_seen_by_recording(patch: Patch) -> None:
    """Assigning requires_grad changes what is read and not what is recorded."""
    assigned_flag_is_shown_only(
        patch, lambda tensor: not result_of(tensor) and not holds_integers(tensor)
    )


@fault
def an_assigned_flag_is_not_checked_for_the_dtype(patch: Patch) -> None:
    """Assigning True to requires_grad of integers is accepted, and they require grad then."""
    assigned_flag_is_shown_only(patch, holds_integers)


@fault
def assigning_false_detaches_a_result(patch: Patch) -> None:
    """Assigning False to requires_grad of a non-leaf detaches it."""
    flag_is_assigned(
        patch,
        lambda tensor, value, put: (
            tensor.detach_() if value is False and result_of(tensor) else put(value)
        ),
    )


@fault
def assigning_true_to_a_result_is_accepted(patch: Patch) -> None:
    """Assigning True to requires_grad of a non-leaf is accepted, as the method is."""

    def change(tensor: Any, value: Any, put: Any) -> None:
        if value is not True or not result_of(tensor):
            put(value)

    flag_is_assigned(patch, change)


@fault
def numbers_are_taken_for_the_flag(patch: Patch) -> None:
    """A number assigned to requires_grad counts by its truth."""
    flag_is_assigned(
        patch,
        lambda tensor, value, put: put(bool(value) if isinstance(value, int | float) else value),
    )


@fault
def none_clears_the_flag(patch: Patch) -> None:
    """Assigning None to requires_grad clears it."""
    flag_is_assigned(
        patch, lambda tensor, value, put: put(False if value is None else value)
    )  # fmt: skip


@fault
def deleting_the_flag_clears_it(patch: Patch) -> None:
    """Deleting requires_grad clears it."""
    original: Any = torch.Tensor.requires_grad
    patch.set(
        torch.Tensor, "requires_grad",
        property(
            lambda self: original.__get__(self),
            lambda self, value: original.__set__(self, value),
            lambda self: original.__set__(self, False),
        ),
    )  # fmt: skip


# --- by either ---


def dtypes_are_refused(patch: Patch, refused: Callable[[Any], bool]) -> None:
    """Let no tensor require grad for which `refused(tensor)` holds."""

    def change(tensor: Any, value: Any, put: Any) -> None:
        if value and refused(tensor):
            raise RuntimeError(NOT_ABLE)
        put(value)

    flag_is_set(patch, change)


@fault
def complex_tensors_cannot_require_grad(patch: Patch) -> None:
    """Complex tensors cannot require grad."""
    dtypes_are_refused(patch, lambda tensor: tensor.is_complex())


@fault
def half_precision_cannot_require_grad(patch: Patch) -> None:
    """Tensors of float16 and bfloat16 cannot require grad."""
    dtypes_are_refused(patch, lambda tensor: tensor.dtype in (torch.float16, torch.bfloat16))


@fault
def the_flag_of_integers_cannot_be_cleared(patch: Patch) -> None:
    """Setting requires_grad of integers is refused, also to False."""

    def change(tensor: Any, value: Any, put: Any) -> None:
        if holds_integers(tensor):
            raise RuntimeError(NOT_ABLE)
        put(value)

    flag_is_set(patch, change)


@fault
def setting_the_flag_of_a_view_sets_that_of_its_base(patch: Patch) -> None:
    """Setting requires_grad of a view sets that of its base."""

    def change(tensor: Any, value: Any, put: Any) -> None:
        put(value)
        if tensor._is_view() and tensor._base.is_leaf:
            untouched.requires_grad_(tensor._base, value)

    flag_is_set(patch, change)


# --- a flag that was cleared ---


@fault
def frozen_leaves_stop_the_pass(patch: Patch) -> None:
    """A leaf that stopped requiring grad after the computation makes the pass fail."""

    def around(run: Any, options: Any) -> Any:
        if not all(leaf.requires_grad for leaf in leaves_below(options.roots)):
            raise RuntimeError("element 0 of tensors does not require grad")
        return run(options)

    around_pass(patch, around)
