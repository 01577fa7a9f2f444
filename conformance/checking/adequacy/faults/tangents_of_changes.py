"""Faults of forward mode: constants that are written into dual tensors, and tangents of what passes see."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, around, fault, inside, torch, untouched
from .checkpoints import around_checkpoint
from .forward_levels import Whole
from .hooks import changed_hook


def keeping_tangent(whole: Whole, target: Any, write: Any) -> Any:
    """What `write()` gives, after which a dual target has the tangent from before."""
    tangent = whole.tangent(target)
    before = None if tangent is None else untouched.clone(tangent)
    result = write()
    if before is not None:
        with torch.no_grad():
            whole.tangent(target).copy_(before)
    return result


@fault
def assigned_constants_leave_the_tangent(patch: Patch) -> None:
    """x[0] = 3.0 leaves the tangent of x as it was."""
    whole = Whole()

    def make(original: Any) -> Any:
        def assign(self: Any, place: Any, value: Any) -> None:
            if whole.tangent(value) is not None:
                original(self, place, value)
            else:
                keeping_tangent(whole, self, lambda: original(self, place, value))

        return assign

    patch.wrap(torch.Tensor, "__setitem__", make)


@fault
def filled_places_keep_their_tangent(patch: Patch) -> None:
    """masked_fill_ and index_fill_ with a number leave the tangent as it was."""
    whole = Whole()
    around(
        patch,
        "masked_fill_ index_fill_",
        lambda original, self, *args: keeping_tangent(whole, self, lambda: original(self, *args)),
    )


@fault
def data_is_dual(patch: Patch) -> None:
    """x.data of a dual tensor has its tangent."""
    whole = Whole()
    data = untouched.data

    def read(self: Any) -> Any:
        found, tangent = data.__get__(self), whole.tangent(self)
        return found if tangent is None else whole.make(found, tangent)

    patch.set(torch.Tensor, "data", property(read, lambda self, value: data.__set__(self, value)))


@fault
def results_of_checkpoints_have_no_tangent(patch: Patch) -> None:
    """The result of a checkpoint has no tangent."""
    whole = Whole()
    around_checkpoint(
        patch,
        lambda original, function, args, options: whole.plain(original(function, *args, **options)),
    )


@fault
def hooks_are_given_gradients_without_tangents(patch: Patch) -> None:
    """Within a level, a hook is given its gradient without the tangent."""
    whole = Whole()
    changed_hook(patch, lambda hook, tensor: lambda gradient: hook(whole.plain(gradient)))


@fault
def saved_results_lose_their_tangent(patch: Patch) -> None:
    """A result that a custom function saved has no tangent in its backward."""
    whole = Whole()

    def saved(self: Any) -> tuple[Any, ...]:
        found = inside.saved_tensors(self)
        return tuple(t if t is None or t.grad_fn is not self else whole.plain(t) for t in found)

    patch.set(inside.function_node, "saved_tensors", property(saved))
