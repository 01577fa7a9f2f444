"""Faults of what leaves are: is_leaf, grad_fn, and what is converted or saved."""

from __future__ import annotations

from typing import Any

from ..breaking import Notes, Patch, around, fault, replaces, torch
from .leaves import attribute, read


@fault
def leaves_are_what_requires_no_grad(patch: Patch) -> None:
    """is_leaf is True exactly where requires_grad is False."""
    attribute(patch, "is_leaf", lambda self: not self.requires_grad)


@fault
def views_are_no_leaves(patch: Patch) -> None:
    """is_leaf of a view is False, although taking it was not recorded."""
    original = read("is_leaf")
    attribute(patch, "is_leaf", lambda self: original(self) and not self._is_view())


@fault
def is_leaf_can_be_assigned(patch: Patch) -> None:
    """is_leaf can be assigned, and True cuts the history."""

    def put(self: Any, value: bool) -> None:
        if value and self.grad_fn is not None:
            self.detach_()

    attribute(patch, "is_leaf", put=put)


@fault
def grad_fn_can_be_assigned(patch: Patch) -> None:
    """grad_fn can be assigned, and None cuts the history."""
    original = read("grad_fn")
    assigned = Notes()

    def put(self: Any, value: Any) -> None:
        if value is None:
            self.detach_()
        assigned[self] = value

    def get(self: Any) -> Any:
        return assigned[self] if self in assigned else original(self)

    attribute(patch, "grad_fn", get, put)


@fault
def constants_have_no_grad_attribute(patch: Patch) -> None:
    """Reading .grad of a tensor that does not require grad is an error."""
    original = read("grad")

    def get(self: Any) -> Any:
        if not self.requires_grad:
            raise AttributeError("a tensor that does not require grad has no grad")
        return original(self)

    attribute(patch, "grad", get)


@fault
def conversions_give_a_new_leaf(patch: Patch) -> None:
    """x.to(dtype) gives a new leaf that requires grad as x does."""

    def convert(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(x, *args, **kwargs)
        if result is x or not result.requires_grad:
            return result
        return result.detach().requires_grad_()

    around(patch, "to", convert)


@fault
def conversion_to_the_same_device_copies(patch: Patch) -> None:
    """x.to(device) copies even if x lives there already."""

    def convert(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(x, *args, **kwargs)
        named = isinstance(args[0] if args else kwargs.get("device"), str | torch.device)
        return result.clone() if named and result is x else result

    around(patch, "to", convert)


@replaces("save")
def results_cannot_be_saved(original: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
    """A tensor with history cannot be saved."""
    if isinstance(value, torch.Tensor) and value.grad_fn is not None:
        raise RuntimeError("only leaves can be saved")
    return original(value, *args, **kwargs)
