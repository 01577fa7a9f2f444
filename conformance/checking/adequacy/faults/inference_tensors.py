"""Faults of inference tensors: which tensors are some, and what they may be used for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import (
    Notes,
    Patch,
    around,
    around_pass,
    fault,
    leaves_below,
    replaces,
    torch,
    untouched,
)
from .in_place import CHANGES, VIEWS, unless_noted
from .leaves import attribute, read
from .modes_and_results import RESULTS, operands

BUILDERS = "tensor zeros ones full arange zeros_like ones_like"
FROZEN = "Inplace update to inference tensor outside InferenceMode is not allowed."
SAVED = "Inference tensors cannot be saved for backward."


def ordinarily(original: Any, *args: Any, **kwargs: Any) -> Any:
    """Compute something outside of inference mode, unrecorded."""
    if not torch.is_inference_mode_enabled():
        return original(*args, **kwargs)
    with torch.inference_mode(False), torch.no_grad():
        return original(*args, **kwargs)


@fault
def inference_mode_builds_ordinary_tensors(patch: Patch) -> None:
    """What is built in inference mode, as by tensor(), is an ordinary tensor."""
    around(patch, BUILDERS, ordinarily)


@fault
def inference_mode_gives_ordinary_results(patch: Patch) -> None:
    """Results of operations in inference mode are ordinary tensors."""
    around(patch, RESULTS, ordinarily)


@fault
def results_of_inference_tensors_are_inference_tensors(patch: Patch) -> None:
    """A result outside inference mode is an inference tensor where an operand is one."""

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        if not any(each.is_inference() for each in operands(args)):
            return original(*args, **kwargs)
        with torch.inference_mode():
            return original(*args, **kwargs)

    around(patch, RESULTS, operation)


def views_are(patch: Patch, when: Callable[[Any], bool], inference: bool) -> None:
    """Let views of those tensors for which `when(tensor)` say of themselves that they are inference
    tensors, or that they are not."""
    said = Notes()

    def make(original: Any) -> Any:
        def view(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            if when(self):
                said[result] = inference
            return result

        return view

    for name in VIEWS:
        patch.wrap(torch.Tensor, name, make)
    around(patch, "is_inference", lambda original, self: said.get(self, original(self)))


@fault
def views_in_inference_mode_are_inference_tensors(patch: Patch) -> None:
    """A view taken in inference mode is an inference tensor, whatever its base is."""
    views_are(patch, lambda tensor: torch.is_inference_mode_enabled(), True)


@fault
def views_outside_inference_mode_are_ordinary(patch: Patch) -> None:
    """A view of an inference tensor that is taken outside inference mode is an ordinary tensor."""
    views_are(patch, lambda tensor: not torch.is_inference_mode_enabled(), False)


# --- changes ---


def changes_of_inference_tensors(patch: Patch, change: Callable[..., Any]) -> None:
    """Change inference tensors in place by `change(original, self, ...)`."""

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            if not self.is_inference():
                return original(self, *args, **kwargs)
            return change(original, self, *args, **kwargs)

        return operation

    for name in CHANGES:
        patch.wrap(torch.Tensor, name, make)


@fault
def no_grad_thaws_inference_tensors(patch: Patch) -> None:
    """Within no_grad an inference tensor may be changed in place."""

    def change(original: Any, *args: Any, **kwargs: Any) -> Any:
        if torch.is_grad_enabled():
            return original(*args, **kwargs)
        with torch.inference_mode():
            return original(*args, **kwargs)

    changes_of_inference_tensors(patch, change)


@fault
def inference_tensors_are_frozen_everywhere(patch: Patch) -> None:
    """An inference tensor may not be changed in place even in inference mode."""

    def change(original: Any, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(FROZEN)

    changes_of_inference_tensors(patch, change)


@replaces("Tensor.requires_grad_")
def inference_tensors_may_nowhere_require_grad(
    original: Any, self: Any, requires_grad: bool = True
) -> Any:
    """An inference tensor may not be made to require grad even in inference mode."""
    if self.is_inference() and requires_grad:
        raise RuntimeError("Setting requires_grad=True on inference tensor is not allowed.")
    return original(self, requires_grad)


@fault
def versions_of_inference_tensors_are_zero(patch: Patch) -> None:
    """The version of an inference tensor reads 0."""
    right = read("_version")
    attribute(patch, "_version", lambda self: 0 if self.is_inference() else right(self))


@fault
def changes_in_inference_mode_are_not_counted(patch: Patch) -> None:
    """A change in place of an ordinary tensor in inference mode is not noticed by the version check."""
    unless_noted(
        patch,
        lambda tensor: torch.is_inference_mode_enabled() and not tensor.is_inference(),
    )


# --- recording ---


@fault
def recording_in_inference_mode_goes_by_grad_mode(patch: Patch) -> None:
    """Operations look at grad mode alone, so that enable_grad makes them record in inference mode."""

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        if not (torch.is_inference_mode_enabled() and torch.is_grad_enabled()):
            return original(*args, **kwargs)
        with torch.inference_mode(False):
            return original(*args, **kwargs)

    around(patch, RESULTS, operation)


@fault
def sums_with_inference_tensors_are_constants(patch: Patch) -> None:
    """A sum with an inference tensor is not recorded."""

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        found = original(*args, **kwargs)
        return found.detach() if any(each.is_inference() for each in operands(args)) else found

    around(patch, "add sub", operation)


# --- gradients ---


@fault
def gradients_made_in_inference_mode_are_ordinary(patch: Patch) -> None:
    """The gradient that a pass in inference mode makes is an ordinary tensor."""

    def around_it(run: Any, options: Any) -> Any:
        return ordinarily(run, options)

    around_pass(patch, around_it)


@fault
def inference_gradients_are_added_to(patch: Patch) -> None:
    """A gradient made in inference mode is added to outside it as any other."""

    def around_it(run: Any, options: Any) -> Any:
        if not torch.is_inference_mode_enabled():
            for leaf in leaves_below(options.roots):
                if leaf.grad is not None and leaf.grad.is_inference():
                    leaf.grad = untouched.clone(leaf.grad)
        return run(options)

    around_pass(patch, around_it)
