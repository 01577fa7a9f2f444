"""Faults of in-place changes and views that show only under several conditions at once."""

from __future__ import annotations

import weakref
from typing import Any

from ..breaking import Marked, Notes, Patch, fault, inside, torch
from .in_place import CHANGES, VIEWS, changed, unless_noted, unrecorded


def missing_operand_check(patch: Patch, index: int, names: tuple[str, ...]) -> None:
    """Let operations save a copy of one operand, so that changing it later is not noticed."""

    def make(original: Any) -> Any:
        def operation(*args: Any, **kwargs: Any) -> Any:
            operands = list(args)
            if len(operands) > index and isinstance(operands[index], torch.Tensor):
                if torch.is_grad_enabled() and operands[index].is_floating_point():
                    operands[index] = operands[index].clone()
            return original(*operands, **kwargs)

        return operation

    for name in names:
        patch.wrap(torch.Tensor, name, make)
        if hasattr(torch, name):
            patch.wrap(torch, name, make)


@fault
def the_first_factor_is_not_checked(patch: Patch) -> None:
    """Changing the first factor of a product in place is not refused."""
    missing_operand_check(patch, 0, ("__mul__", "mul"))


@fault
def the_second_factor_is_not_checked(patch: Patch) -> None:
    """Changing the second factor of a product in place is not refused."""
    missing_operand_check(patch, 1, ("__mul__", "mul"))


@fault
def factors_of_matmul_are_not_checked(patch: Patch) -> None:
    """Changing the second factor of a matrix product in place is not refused."""
    missing_operand_check(patch, 1, ("__matmul__", "matmul", "mm"))


@fault
def the_base_of_a_power_is_not_checked(patch: Patch) -> None:
    """Changing the base of a power in place is not refused."""
    missing_operand_check(patch, 0, ("__pow__", "pow"))


@fault
def the_divisor_is_not_checked(patch: Patch) -> None:
    """Changing the divisor in place is not refused."""
    missing_operand_check(patch, 1, ("__truediv__", "div"))


@fault
def the_argument_of_sin_is_not_checked(patch: Patch) -> None:
    """Changing the argument of sin, cos and log in place is not refused."""
    missing_operand_check(patch, 0, ("sin", "cos", "log"))


@fault
def changed_indices_are_used(patch: Patch) -> None:
    """Gradients of index_select and gather go where the index points now, if it was changed."""

    def make(original: Any) -> Any:
        def operation(self: Any, dim: Any, index: Any, *args: Any, **kwargs: Any) -> Any:
            return original(self, dim, index.data, *args, **kwargs)

        return operation

    for name in ("index_select", "gather"):
        patch.wrap(torch.Tensor, name, make)
        patch.wrap(torch, name, make)


@fault
def changes_of_bases_with_views_are_not_counted(patch: Patch) -> None:
    """What was saved of a view is not protected against a change of its base."""
    bases: Any = Marked()

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            if isinstance(result, torch.Tensor) and result._is_view():
                bases.add(result._base)
            return result

        return operation

    changed(patch, make, VIEWS)
    unless_noted(patch, lambda tensor: tensor in bases)


def is_view_of_view(tensor: Any, parents: Any) -> bool:
    return tensor in parents and parents[tensor] in parents


def family(patch: Patch) -> Any:
    """Which tensor each view was taken from."""
    parents: Any = Notes()

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            if isinstance(result, torch.Tensor) and result._is_view() and result is not self:
                parents[result] = self
            return result

        return operation

    changed(patch, make, VIEWS)
    return parents


@fault
def changes_of_views_of_views_are_not_recorded(patch: Patch) -> None:
    """An in-place change of a view of a view does not reach the base's graph."""
    parents = family(patch)
    unrecorded(patch, lambda tensor: is_view_of_view(tensor, parents) and tensor.requires_grad)


@fault
def changes_of_views_of_views_are_not_counted(patch: Patch) -> None:
    """An in-place change of a view of a view is not noticed by the version check."""
    parents = family(patch)
    unless_noted(patch, lambda tensor: is_view_of_view(tensor, parents))


@fault
def siblings_do_not_see_changes(patch: Patch) -> None:
    """An in-place change of one view does not reach the graph of another view of the base."""
    children: Any = Notes()

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            if isinstance(result, torch.Tensor) and result._is_view() and result.requires_grad:
                children.setdefault(result._base, []).append(weakref.ref(result))
            return result

        return operation

    def make_change(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            base = self._base
            siblings = [r() for r in children.get(base, [])] if base is not None else []
            others = [s for s in siblings if s is not None and s is not self]
            if len(others) and torch.is_grad_enabled() and self.requires_grad:
                with inside.keeping_version(self):
                    return original(self, *args, **kwargs)
            return original(self, *args, **kwargs)

        return operation

    changed(patch, make, VIEWS)
    changed(patch, make_change)


@fault
def the_second_change_of_a_view_is_not_recorded(patch: Patch) -> None:
    """Only the first in-place change of a view is recorded."""
    done: Any = Marked()

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            if self._is_view() and self in done and torch.is_grad_enabled() and self.requires_grad:
                with torch.no_grad():
                    return original(self, *args, **kwargs)
            if self._is_view():
                done.add(self)
            return original(self, *args, **kwargs)

        return operation

    changed(patch, make, tuple(name for name in CHANGES if name != "__setitem__"))


@fault
def detach_in_place_keeps_requires_grad(patch: Patch) -> None:
    """detach_() of a result gives a leaf that still requires grad."""
    patch.wrap(
        torch.Tensor, "detach_",
        lambda original: lambda self: original(self).requires_grad_(True)
        if self.requires_grad and not self.is_leaf else original(self),
    )  # fmt: skip


@fault
def out_may_require_grad(patch: Patch) -> None:
    """out= with a tensor that requires grad is silently accepted."""

    def make(original: Any) -> Any:
        def operation(*args: Any, **kwargs: Any) -> Any:
            if isinstance(kwargs.get("out"), torch.Tensor):
                with torch.no_grad():
                    return original(*args, **kwargs)
            return original(*args, **kwargs)

        return operation

    for name in ("add", "mul", "exp", "sin", "sub", "matmul", "sum"):
        patch.wrap(torch, name, make)
