"""Faults of `gradcheck`: what it overlooks in later inputs and results, in fast mode, and in forward mode."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, fault, torch, untouched
from .gradient_checks import Check, as_tuple, instead, needing


def forgiving(patch: Patch, word: str, when: Any = lambda inputs: len(needing(inputs)) > 1) -> None:
    """Let gradcheck say yes where its error has `word`, for inputs for which `when(inputs)` is true."""

    def change(check: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        if not when(inputs):
            return check(func, inputs, *rest, **options)
        asked = options.pop("raise_exception", True)
        try:
            return check(func, inputs, *rest, **options)
        except RuntimeError as error:
            if word in str(error):
                return True
            if asked:
                raise
            return False

    instead(patch, "gradcheck", change)


@fault
def nondeterminism_is_looked_for_in_the_first_input(patch: Patch) -> None:
    """gradcheck looks for nondeterminism where there is one input only."""
    forgiving(patch, "reentrant")


@fault
def undefined_gradients_are_looked_for_in_the_first_input(patch: Patch) -> None:
    """gradcheck looks for what undefined gradients give where there is one input only."""

    def change(check: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        if len(needing(inputs)) > 1:
            options["check_undefined_grad"] = False
        return check(func, inputs, *rest, **options)

    instead(patch, "gradcheck", change)


@fault
def fast_mode_checks_no_forward_mode(patch: Patch) -> None:
    """With fast_mode=True, gradcheck ignores check_forward_ad."""

    def change(check: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        if options.get("fast_mode"):
            options.pop("check_forward_ad", None)
        return check(func, inputs, *rest, **options)

    instead(patch, "gradcheck", change)


@fault
def fast_mode_minds_no_nondeterminism(patch: Patch) -> None:
    """With fast_mode=True, gradcheck accepts a backward that is not deterministic."""

    def change(check: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        if options.get("fast_mode"):
            options["nondet_tol"] = float("inf")
        return check(func, inputs, *rest, **options)

    instead(patch, "gradcheck", change)


@fault
def gradcheck_takes_the_first_of_a_list(patch: Patch) -> None:
    """Of a list of results, gradcheck checks the first."""

    def change(check: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        def function(*args: Any) -> Any:
            found = func(*args)
            return found[0] if isinstance(found, list) else found

        return check(function, inputs, *rest, **options)

    instead(patch, "gradcheck", change)


@fault
def forward_mode_is_not_checked_for_complex_inputs(patch: Patch) -> None:
    """gradcheck ignores check_forward_ad if an input is complex."""

    def change(check: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        tensors = [x for x in as_tuple(inputs) if isinstance(x, torch.Tensor)]
        if any(map(untouched.is_complex, tensors)):
            options.pop("check_forward_ad", None)
        return check(func, inputs, *rest, **options)

    instead(patch, "gradcheck", change)


@fault
def errors_of_a_backward_are_a_failed_check(patch: Patch) -> None:
    """With raise_exception=False, gradcheck returns False where a backward raises an error of its own."""

    def change(check: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        if options.get("raise_exception", True):
            return check(func, inputs, *rest, **options)
        func(*as_tuple(inputs))
        try:
            return check(func, inputs, *rest, **options)
        except ValueError:
            raise
        except Exception:
            return False

    instead(patch, "gradcheck", change)
