"""Faults of what counts as an unused input of autograd.grad, and of the zeros that stand for it."""

from __future__ import annotations

from typing import Any

from ..breaking import Marked, Patch, around, asked, edge_of, fault, listed, nodes_below, torch
from .arguments_of_passes import UNUSED


def unused(found: Any, given: dict[str, Any]) -> Any:
    """What was found, or the error where None is in it and was not allowed."""
    if not given.get("allow_unused") and any(gradient is None for gradient in listed(found)):
        raise RuntimeError(UNUSED)
    return found


# --- what counts as unused ---


@fault
def zeros_count_as_unused(patch: Patch) -> None:
    """A gradient that is zero everywhere counts as unused."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        found = run()
        options = ("create_graph", "materialize_grads", "is_grads_batched")
        if isinstance(found, dict) or any(given.get(name) for name in options):
            return found
        return unused(
            tuple(None if g is None or not bool((g != 0).any()) else g for g in found), given
        )

    asked(patch, "grad", change)


@fault
def operands_of_anything_are_used(patch: Patch) -> None:
    """An input that any operation at all was recorded for gives zeros, not an error."""
    operands: Any = Marked()

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        operands.update(each for each in args if isinstance(each, torch.Tensor))
        return original(*args, **kwargs)

    def change(run: Any, given: dict[str, Any]) -> Any:
        found = run(allow_unused=True) if not given.get("materialize_grads") else run()
        if given.get("allow_unused") or isinstance(found, dict):
            return found
        return unused(
            tuple(
                torch.zeros_like(each, requires_grad=False)
                if gradient is None and isinstance(each, torch.Tensor) and each in operands
                else gradient
                for each, gradient in zip(listed(given["inputs"]), found, strict=True)
            ),
            given,
        )

    around(patch, "mul add", operation)
    asked(patch, "grad", change)


@fault
def siblings_of_what_was_used_get_zeros(patch: Patch) -> None:
    """A result of an operation of which another result was used gives zeros."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        inputs = listed(given["inputs"])
        nodes = nodes_below(listed(given["outputs"]))
        beside = [
            isinstance(each, torch.Tensor) and each.grad_fn is not None
            and any(edge_of(each) is node for node in nodes)
            for each in inputs
        ]  # fmt: skip
        if not any(beside) or isinstance(given["inputs"], dict):
            return run()
        pairs = zip(inputs, beside, run(allow_unused=True), strict=True)
        return unused(
            tuple(
                torch.zeros_like(each, requires_grad=False) if g is None and zero else g
                for each, zero, g in pairs
            ),
            given,
        )

    asked(patch, "grad", change)


@fault
def only_sixteen_results_can_be_asked_for(patch: Patch) -> None:
    """Only the first sixteen results of an operation can be asked for."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        if any(getattr(each, "output_nr", 0) >= 16 for each in listed(given["inputs"])):
            raise RuntimeError(UNUSED)
        return run()

    asked(patch, "grad", change)


# --- zeros for the unused ---


@fault
def materialize_grads_overrules_allow_unused(patch: Patch) -> None:
    """With materialize_grads=True, allow_unused=False is ignored."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        return run(allow_unused=None) if given.get("materialize_grads") else run()

    asked(patch, "grad", change)


def filled_in(patch: Patch, requires_grad: bool) -> None:
    """Let the zeros of materialize_grads=True require grad, or not, whatever create_graph is."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        if not given.get("materialize_grads") or given.get("allow_unused") is False:
            return run()
        if isinstance(given["inputs"], dict) or given.get("is_grads_batched"):
            return run()
        pairs = zip(
            run(materialize_grads=False, allow_unused=True), listed(given["inputs"]), strict=True
        )
        return tuple(
            torch.zeros_like(each, requires_grad=requires_grad) if g is None else g
            for g, each in pairs
        )

    asked(patch, "grad", change)


@fault
def materialized_zeros_never_require_grad(patch: Patch) -> None:
    """The zeros of an unused input never require grad."""
    filled_in(patch, False)


@fault
def materialized_zeros_always_require_grad(patch: Patch) -> None:
    """The zeros of an unused input always require grad."""
    filled_in(patch, True)
