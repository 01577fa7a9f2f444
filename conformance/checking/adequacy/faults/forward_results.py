"""Faults of forward mode: tangents of changed tensors, of views, of gradients, of custom functions' results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import (
    Patch,
    around,
    around_pass,
    fault,
    inside,
    instead,
    leaves_below,
    register,
    torch,
    untouched,
)
from .custom_forwards import Methods, for_each_call
from .custom_functions import around_apply, several
from .forward_levels import Whole

# --- changes in place, and views ---


@fault
def clones_have_no_tangent(patch: Patch) -> None:
    """clone() gives a tensor without a tangent."""
    whole = Whole()
    around(
        patch,
        "clone",
        lambda original, x, *args, **kwargs: whole.plain(original(x, *args, **kwargs)),
    )


@fault
def changed_tensors_keep_their_tangent(patch: Patch) -> None:
    """An in-place operation leaves the tangent of the tensor as it was."""
    whole = Whole()

    def write(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        tangent = whole.tangent(self)
        before = None if tangent is None else untouched.clone(tangent)
        result = original(self, *args, **kwargs)
        if before is not None:
            with torch.no_grad():
                whole.tangent(self).copy_(before)
        return result

    around(patch, "mul_ add_ copy_ sub_", write)


@fault
def the_second_factor_is_a_constant(patch: Patch) -> None:
    """A product has the tangent that its first factor gives, without that of the second."""
    whole = Whole()

    def product(original: Any, x: Any, y: Any, **kwargs: Any) -> Any:
        return original(x, y if y is x else whole.plain(y), **kwargs)

    around(patch, "mul", product)


@fault
def a_sum_with_itself_reads_the_changed_tangent(patch: Patch) -> None:
    """In x.add_(x), the tangent is read for the second operand after it has been changed."""
    whole = Whole()

    def add(original: Any, x: Any, y: Any, **kwargs: Any) -> Any:
        result = original(x, y, **kwargs)
        tangent = whole.tangent(x) if y is x else None
        if tangent is not None:
            with torch.no_grad():
                tangent.mul_(1.5)
        return result

    around(patch, "add_", add)


@fault
def constants_stay_constant_when_written(patch: Patch) -> None:
    """An in-place operation with a dual tensor gives no tangent to a tensor that had none."""
    whole = Whole()

    def write(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        if whole.tangent(self) is None:
            args = tuple(map(whole.plain, args))
        return original(self, *args, **kwargs)

    around(patch, "mul_ add_ copy_", write)


def shared(patch: Patch, operation: str, is_trivial: Callable[[Any], bool]) -> None:
    """Let the result of an operation have the tangent of its first operand itself."""
    whole = Whole()

    def run(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(x, *args, **kwargs)
        tangent = whole.tangent(x)
        if tangent is None or not all(map(is_trivial, args)) or result.shape != x.shape:
            return result
        return whole.make(whole.plain(result), tangent)

    around(patch, operation, run)


for operation, trivial in (("add", 0.0), ("mul", 1.0), ("clone", None)):
    register(
        f"the_result_of_{operation}_shares_the_tangent",
        f"The result of {operation} and its operand share one tangent, where it is the same.",
        lambda patch, operation=operation, trivial=trivial: shared(
            patch, operation, lambda value: isinstance(value, float) and value == trivial
        ),
    )


@fault
def views_have_copies_of_the_tangent(patch: Patch) -> None:
    """A part of a dual tensor has a copy of the tangent's part, which no longer follows it."""
    whole = Whole()

    def view(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(x, *args, **kwargs)
        tangent = whole.tangent(result)
        if tangent is None or result._base is None:
            return result
        return whole.make(whole.plain(result), untouched.clone(tangent))

    around(patch, "getitem narrow select", view)


@fault
def what_is_taken_apart_has_the_first_tangent(patch: Patch) -> None:
    """All results of unbind, split and chunk have the tangent of the first."""
    whole = Whole()

    def apart(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        parts = original(x, *args, **kwargs)
        tangent = whole.tangent(parts[0])
        if tangent is None or any(part.shape != parts[0].shape for part in parts):
            return parts
        return tuple(whole.make(untouched.detach(part), untouched.clone(tangent)) for part in parts)

    around(patch, "unbind split chunk", apart)


instead(
    "the_tangent_keeps_its_dtype",
    "A conversion of the dtype converts the values alone.",
    "to",
    lambda original, x, *args, **kwargs: (
        original(torch.autograd.forward_ad.unpack_dual(x).primal, *args, **kwargs)
        if inside.forward_level() >= 0
        else original(x, *args, **kwargs)
    ),
)

# --- reverse mode beside forward mode ---


@fault
def gradients_have_no_tangents(patch: Patch) -> None:
    """What a backward pass within a level returns has no tangents."""
    whole = Whole()

    def run_plainly(run: Any, options: Any) -> Any:
        found = run(options)
        return None if found is None else tuple(map(whole.plain, found))

    around_pass(patch, run_plainly)


@fault
def cotangents_lose_their_tangents(patch: Patch) -> None:
    """A backward pass ignores the tangents of the gradients that it is given."""
    whole = Whole()

    def run_plainly(run: Any, options: Any) -> Any:
        options.seeds = [seed if seed is None else whole.plain(seed) for seed in options.seeds]
        return run(options)

    around_pass(patch, run_plainly)


@fault
def gradients_within_a_level_count_the_tangents(patch: Patch) -> None:
    """A backward pass within a level adds to each leaf's gradient what the tangent would give."""

    def run_twice(run: Any, options: Any) -> Any:
        found = run(options)
        if inside.forward_level() >= 0 and options.accumulates:
            with torch.no_grad():
                for leaf in leaves_below(options.roots):
                    if leaf.grad is not None:
                        leaf.grad *= 2.0
        return found

    around_pass(patch, run_twice)


# --- custom functions ---


def around_jvp(patch: Patch, change: Callable[..., Any]) -> None:
    """Put `change(method, ctx, tangents)` in the place of every jvp."""

    def methods(cls: Any, args: Any, kwargs: Any) -> Methods:
        method = cls.jvp
        if method is torch.autograd.Function.jvp:
            return {}
        return {"jvp": lambda ctx, *tangents: change(method, ctx, tangents)}

    for_each_call(patch, methods)


@fault
def functions_without_a_jvp_drop_the_tangent(patch: Patch) -> None:
    """The result of a custom function without a jvp has no tangent."""
    whole = Whole()
    original = vars(torch.autograd.Function)["apply"].__func__

    def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
        if cls.jvp is torch.autograd.Function.jvp:
            args = tuple(map(whole.plain, args))
        return original(cls, *args, **kwargs)

    patch.set(torch.autograd.Function, "apply", classmethod(apply))


@fault
def tangents_left_over_by_a_jvp_are_ignored(patch: Patch) -> None:
    """A jvp that returns one tangent too many is accepted."""

    def change(method: Any, ctx: Any, tangents: Any) -> Any:
        found = method(ctx, *tangents)
        if isinstance(found, tuple) and len(found) == 2 and found[0] is found[1]:
            return found[0]
        return found

    around_jvp(patch, change)


@fault
def tangents_from_a_jvp_are_broadcast(patch: Patch) -> None:
    """A tangent that a jvp returns is broadcast to the shape of the first input's."""

    def change(method: Any, ctx: Any, tangents: Any) -> Any:
        found = method(ctx, *tangents)
        if (
            isinstance(found, torch.Tensor)
            and tangents[0] is not None
            and found.ndim < tangents[0].ndim
        ):
            return found.expand(tangents[0].shape)
        return found

    around_jvp(patch, change)


@fault
def a_jvp_never_gets_none(patch: Patch) -> None:
    """A jvp receives zeros for what has no tangent, whatever set_materialize_grads says."""

    def change(method: Any, ctx: Any, tangents: Any) -> Any:
        known = next(tangent for tangent in tangents if tangent is not None)
        return method(ctx, *(torch.zeros_like(known) if t is None else t for t in tangents))

    around_jvp(patch, change)


@fault
def changed_inputs_of_functions_keep_their_tangent(patch: Patch) -> None:
    """An input that a custom function changes in place has its tangent from before."""
    whole = Whole()

    def run(run: Any, *args: Any, **kwargs: Any) -> Any:
        tangent = whole.tangent(args[0]) if args else None
        before = None if tangent is None else untouched.clone(tangent)
        result = run(*args, **kwargs)
        if before is not None and result is args[0]:
            with torch.no_grad():
                whole.tangent(result).copy_(before)
        return result

    around_apply(patch, run)


@fault
def all_results_of_a_jvp_are_the_first(patch: Patch) -> None:
    """Every result of a custom function has the first tangent that its jvp returns."""

    def change(method: Any, ctx: Any, tangents: Any) -> Any:
        found = method(ctx, *tangents)
        if isinstance(found, tuple):
            return tuple(None if part is None else several(found)[0] for part in found)
        return found

    around_jvp(patch, change)
