"""Faults of what the modes do to results, to tensors that exist already and to changes in place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..breaking import (
    Marked,
    Notes,
    Patch,
    around,
    around_pass,
    fault,
    inside,
    register,
    replaces,
    torch,
    untouched,
)
from .in_place import CHANGES, VIEWS
from .leaves import attribute, read

RESULTS = "add sub mul pow neg exp sum matmul cat clone"
"""Operations that give new tensors."""


def operands(args: Any) -> list[Any]:
    """The tensors among some arguments and the lists among them."""
    found: list[Any] = []
    for each in args:
        if isinstance(each, torch.Tensor):
            found.append(each)
        elif isinstance(each, list | tuple):
            found += operands(each)
    return found


def while_off(patch: Patch, operations: str, function: Callable[..., Any]) -> None:
    """Compute operations by `function(original, *args, **kwargs)` while recording is off."""

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        if torch.is_grad_enabled():
            return original(*args, **kwargs)
        return function(original, *args, **kwargs)

    around(patch, operations, operation)


def recorded(original: Any, *args: Any, **kwargs: Any) -> Any:
    """Compute an operation with recording on."""
    with torch.enable_grad():
        return original(*args, **kwargs)


# --- results ---


@fault
def sums_and_joins_ignore_no_grad(patch: Patch) -> None:
    """Operations that are no elementwise ones, such as sum, cat and matmul, ignore no_grad."""
    while_off(patch, "sum cat matmul clone", recorded)


@fault
def no_grad_hides_the_flag_only(patch: Patch) -> None:
    """Within no_grad results are recorded, and merely read as not requiring grad."""
    hidden = Marked()

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        result = recorded(original, *args, **kwargs)
        hidden.add(result)
        return result

    flag = read("requires_grad")
    while_off(patch, RESULTS, operation)
    attribute(patch, "requires_grad", lambda self: flag(self) and self not in hidden)


@fault
def no_grad_keeps_operands_alive(patch: Patch) -> None:
    """Within no_grad a result keeps its operands alive, if any of them requires grad."""
    kept = Notes()

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        given = operands(args)
        if any(each.requires_grad for each in given):
            kept[result] = given
        return result

    while_off(patch, RESULTS, operation)


@fault
def no_grad_results_are_new_leaves(patch: Patch) -> None:
    """Within no_grad the result of an operand that requires grad is a new leaf that does too."""

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        return result.requires_grad_(any(each.requires_grad for each in operands(args)))

    while_off(patch, RESULTS, operation)


def detached(word: str, patch: Patch) -> None:
    """Let a method detach what it returns within no_grad."""
    while_off(
        patch, word, lambda original, *args, **kwargs: untouched.detach(original(*args, **kwargs))
    )


for word in ("to", "contiguous"):
    register(
        f"no_grad_detaches_in_{word}",
        f"Within no_grad {word}() gives a detached tensor where it would return its argument.",
        partial(detached, word),
    )


@fault
def no_grad_views_read_without_the_flag(patch: Patch) -> None:
    """A view taken within no_grad reads as not requiring grad."""
    hidden = Marked()

    def make(original: Any) -> Any:
        def view(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            if not torch.is_grad_enabled():
                hidden.add(result)
            return result

        return view

    flag = read("requires_grad")
    for name in VIEWS:
        patch.wrap(torch.Tensor, name, make)
    attribute(patch, "requires_grad", lambda self: flag(self) and self not in hidden)


@fault
def no_grad_views_collect_gradients(patch: Patch) -> None:
    """A view taken within no_grad of a tensor that requires grad collects a gradient of its own."""

    def make(original: Any) -> Any:
        def view(self: Any, *args: Any, **kwargs: Any) -> Any:
            if torch.is_grad_enabled() or not self.requires_grad:
                return original(self, *args, **kwargs)
            return original(untouched.detach(self), *args, **kwargs).requires_grad_()

        return view

    for name in VIEWS:
        patch.wrap(torch.Tensor, name, make)


# --- tensors that exist already ---

CONSULTING = {
    "requires_grad": ("requires_grad reads False within no_grad.", lambda found: False),
    "is_leaf": ("Every tensor reads as a leaf within no_grad.", lambda found: True),
    "grad_fn": ("grad_fn reads None within no_grad.", lambda found: None),
}


def consulting(name: str, off: Callable[[Any], Any]) -> Callable[[Patch], None]:
    """Let an attribute read `off(what it is)` while recording is off."""

    def install(patch: Patch) -> None:
        right = read(name)
        attribute(
            patch, name, lambda self: right(self) if torch.is_grad_enabled() else off(right(self))
        )

    return install


for word, (sentence, off) in CONSULTING.items():
    register(f"{word}_consults_the_mode", sentence, consulting(word, off))


@fault
def a_pass_under_no_grad_does_nothing(patch: Patch) -> None:
    """backward() within no_grad adds no gradient, and says nothing."""
    around_pass(
        patch,
        lambda run, options: (
            None if options.accumulates and not torch.is_grad_enabled() else run(options)
        ),
    )


@fault
def assigning_the_flag_within_no_grad_clears_it(patch: Patch) -> None:
    """Assigning True to requires_grad within no_grad sets it to False."""
    put = untouched.requires_grad.__set__
    attribute(
        patch,
        "requires_grad",
        put=lambda self, value: put(self, value and torch.is_grad_enabled()),
    )


@replaces("Tensor.requires_grad_")
def asking_for_the_flag_within_no_grad_does_nothing(
    original: Any, self: Any, requires_grad: bool = True
) -> Any:
    """requires_grad_() has no effect within no_grad."""
    return original(self, requires_grad) if torch.is_grad_enabled() else self


@replaces("Tensor.requires_grad_")
def no_grad_clears_the_flag_of_results(original: Any, self: Any, requires_grad: bool = True) -> Any:
    """Within no_grad requires_grad_(False) is accepted of a non-leaf, which is cut off by it."""
    if not (requires_grad or self.is_leaf or torch.is_grad_enabled()):
        return self.detach_()
    return original(self, requires_grad)


# --- changes in place ---


def changes_while_off(patch: Patch, function: Callable[..., Any]) -> None:
    """Change tensors by `function(original, self, ...)` while recording is off."""

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            if torch.is_grad_enabled():
                return original(self, *args, **kwargs)
            return function(original, self, *args, **kwargs)

        return change

    for name in CHANGES:
        patch.wrap(torch.Tensor, name, make)


@fault
def changes_within_no_grad_are_recorded(patch: Patch) -> None:
    """A change in place is recorded within no_grad too, and refused of a leaf."""
    changes_while_off(patch, recorded)


@fault
def changes_within_no_grad_cut_the_history(patch: Patch) -> None:
    """A change in place within no_grad detaches a tensor that has a history."""

    def change(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(self, *args, **kwargs)
        if self.grad_fn is not None and not self._is_view():
            self.detach_()
        return result

    changes_while_off(patch, change)


# --- forward mode ---


@fault
def no_grad_stops_tangents(patch: Patch) -> None:
    """Within no_grad results have no tangent."""

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        if inside.forward_level() < 0:
            return result
        return torch.autograd.forward_ad.unpack_dual(result).primal

    while_off(patch, RESULTS, operation)


@fault
def inference_mode_keeps_tangents(patch: Patch) -> None:
    """In inference mode results have a tangent, as they have within no_grad."""

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        if not torch.is_inference_mode_enabled() or inside.forward_level() < 0:
            return original(*args, **kwargs)
        with torch.inference_mode(False), torch.no_grad():
            return original(*args, **kwargs)

    while_off(patch, RESULTS, operation)
