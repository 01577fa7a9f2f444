"""Faults of `gradcheck` and `gradgradcheck`: what they compare, and what they make of it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from ..breaking import Patch, fault, register, torch

Check = Callable[..., Any]


def as_tuple(value: Any) -> tuple[Any, ...]:
    """One value or several, as a tuple."""
    return tuple(value) if isinstance(value, tuple | list) else (value,)


def needing(inputs: Any) -> list[Any]:
    """The inputs that require grad."""
    return [x for x in as_tuple(inputs) if isinstance(x, torch.Tensor) and x.requires_grad]


def instead(patch: Patch, name: str, change: Check) -> None:
    """Put `change(check, func, inputs, *rest, **options)` in the place of a check."""

    def make(original: Check) -> Check:
        def check(func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
            return change(original, func, inputs, *rest, **options)

        return check

    patch.wrap(torch.autograd, name, make)


def always(check: str, name: str, sentence: str, **fixed: Any) -> None:
    """Put into the bank a check that is always given the same value of some options."""

    def change(original: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        return original(func, inputs, *rest, **{**options, **fixed})

    register(name, sentence, lambda patch: instead(patch, check, change))


def without(check: str, option: str, name: str, sentence: str) -> None:
    """Put into the bank a check that ignores an option."""

    def change(original: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        options.pop(option, None)
        return original(func, inputs, *rest, **options)

    register(name, sentence, lambda patch: instead(patch, check, change))


def of_results(name: str, sentence: str, change: Callable[[list[Any]], Any]) -> None:
    """Put into the bank a gradcheck that looks at `change(results)` of the function."""

    def checked(original: Check, func: Any, inputs: Any, **options: Any) -> Any:
        def function(*args: Any) -> Any:
            return tuple(change(list(as_tuple(func(*args)))))

        return original(function, inputs, **options)

    register(name, sentence, lambda patch: instead(patch, "gradcheck", checked))


always(
    "gradcheck",
    "gradcheck_never_raises",
    "gradcheck returns False where it should raise an error.",
    raise_exception=False,
)
always(
    "gradcheck",
    "gradcheck_always_raises",
    "gradcheck raises an error even with raise_exception=False.",
    raise_exception=True,
)
always(
    "gradcheck",
    "gradcheck_minds_no_nondeterminism",
    "gradcheck accepts a backward that is not deterministic.",
    nondet_tol=float("inf"),
)
always(
    "gradcheck",
    "gradcheck_never_leaves_gradients_undefined",
    "gradcheck always gives every result a gradient.",
    check_undefined_grad=False,
)
always(
    "gradcheck",
    "gradcheck_always_leaves_gradients_undefined",
    "gradcheck leaves gradients undefined even with check_undefined_grad=False.",
    check_undefined_grad=True,
)
without("gradcheck", "atol", "gradcheck_ignores_atol", "gradcheck ignores atol.")
without("gradcheck", "rtol", "gradcheck_ignores_rtol", "gradcheck ignores rtol.")
without("gradcheck", "eps", "gradcheck_ignores_eps", "gradcheck ignores eps.")
without("gradcheck", "nondet_tol", "gradcheck_ignores_nondet_tol", "gradcheck ignores nondet_tol.")
without(
    "gradcheck",
    "check_batched_grad",
    "gradcheck_never_checks_batches",
    "gradcheck ignores check_batched_grad.",
)
without(
    "gradcheck",
    "check_forward_ad",
    "gradcheck_never_checks_forward_mode",
    "gradcheck ignores check_forward_ad.",
)
without(
    "gradcheck",
    "check_backward_ad",
    "gradcheck_always_checks_backward",
    "gradcheck ignores check_backward_ad.",
)
without("gradgradcheck", "atol", "gradgradcheck_ignores_atol", "gradgradcheck ignores atol.")
without("gradgradcheck", "rtol", "gradgradcheck_ignores_rtol", "gradgradcheck ignores rtol.")
always(
    "gradgradcheck",
    "gradgradcheck_always_raises",
    "gradgradcheck raises an error even with raise_exception=False.",
    raise_exception=True,
)
of_results(
    "gradcheck_compares_the_first_result",
    "gradcheck compares the first result only.",
    lambda results: results[:1],
)
of_results(
    "gradcheck_compares_sums",
    "gradcheck compares the gradients of the sum of each result only.",
    lambda results: [y.sum() if y.is_floating_point() or y.is_complex() else y for y in results],
)
of_results(
    "gradcheck_compares_real_parts",
    "gradcheck compares the real parts of complex results only.",
    lambda results: [y.real if y.is_complex() else y for y in results],
)
of_results("gradcheck_passes_over_constants", "gradcheck passes over results that do not require grad.",
           lambda results: [y if y.requires_grad else y * 0 for y in results])  # fmt: skip


@fault
def gradcheck_always_succeeds(patch: Patch) -> None:
    """gradcheck returns True for every function."""
    instead(patch, "gradcheck", lambda check, func, inputs, **options: True)


@fault
def gradgradcheck_returns_nothing(patch: Patch) -> None:
    """gradgradcheck returns None where the check succeeds."""

    def change(check: Any, *args: Any, **options: Any) -> Any:
        return None if check(*args, **options) else False

    instead(patch, "gradgradcheck", change)


@fault
def gradgradcheck_always_succeeds(patch: Patch) -> None:
    """gradgradcheck returns True for every function."""
    instead(patch, "gradgradcheck", lambda check, func, inputs, *rest, **options: True)


@fault
def gradgradcheck_checks_the_first_order(patch: Patch) -> None:
    """gradgradcheck checks the gradients again, not the gradients of the gradients."""

    def change(check: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        return torch.autograd.gradcheck(func, inputs, **options)

    instead(patch, "gradgradcheck", change)


def with_seeds(name: str, sentence: str, change: Callable[[Any], Any]) -> None:
    """Put into the bank a gradgradcheck that takes `change(result)` for the gradients of results."""

    def checked(check: Check, func: Any, inputs: Any, given: Any = None, **options: Any) -> Any:
        seeds = as_tuple(func(*as_tuple(inputs))) if given is None else as_tuple(given)
        return check(func, inputs, tuple(map(change, seeds)), **options)

    register(name, sentence, lambda patch: instead(patch, "gradgradcheck", checked))


with_seeds(
    "gradgradcheck_takes_gradients_for_constants",
    "gradgradcheck does not differentiate with respect to the gradients of the results.",
    lambda seed: seed.detach(),
)
with_seeds(
    "gradgradcheck_takes_all_gradients_for_variables",
    "gradgradcheck differentiates with respect to all grad_outputs.",
    lambda seed: seed.detach().requires_grad_(),
)
with_seeds("gradgradcheck_takes_other_gradients",
           "gradgradcheck takes other grad_outputs than those that it is given.",
           lambda seed: (seed.detach() * 0.5 + 0.125).requires_grad_(seed.requires_grad))  # fmt: skip


@fault
def gradcheck_takes_tuples_only(patch: Patch) -> None:
    """gradcheck rejects a single tensor as inputs."""

    def change(check: Check, func: Any, inputs: Any, **options: Any) -> Any:
        if isinstance(inputs, torch.Tensor):
            raise TypeError("expected a tuple of inputs")
        return check(func, inputs, **options)

    instead(patch, "gradcheck", change)


@fault
def gradcheck_compares_the_first_input(patch: Patch) -> None:
    """gradcheck compares the gradients of the first input only."""

    def change(check: Check, func: Any, inputs: Any, **options: Any) -> Any:
        rest = {id(x) for x in needing(inputs)[1:]}
        given = tuple(x.detach() if id(x) in rest else x for x in as_tuple(inputs))
        return check(func, given, **options)

    instead(patch, "gradcheck", change)


@fault
def gradcheck_moves_real_parts(patch: Patch) -> None:
    """gradcheck moves complex inputs along the real direction only."""

    def change(check: Check, func: Any, inputs: Any, **options: Any) -> Any:
        given = as_tuple(inputs)
        moved = [isinstance(x, torch.Tensor) and x.is_complex() and x.requires_grad for x in given]

        def function(*parts: Any) -> Any:
            return func(*(
                part + x.detach().imag * 1j if is_moved else part
                for x, part, is_moved in zip(given, parts, moved, strict=True)
            ))  # fmt: skip

        parts = tuple(
            x.detach().real.clone().requires_grad_() if is_moved else x
            for x, is_moved in zip(given, moved, strict=True)
        )
        return check(function, parts, **options)

    instead(patch, "gradcheck", change)


def succeeds_where(
    name: str, sentence: str, when: Callable[..., Any], check: str = "gradcheck"
) -> None:
    """Put into the bank a check that returns True without looking where `when(inputs, options)`."""

    def change(original: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        return True if when(inputs, options) else original(func, inputs, *rest, **options)

    register(name, sentence, lambda patch: instead(patch, check, change))


succeeds_where(
    "fast_gradcheck_always_succeeds",
    "gradcheck with fast_mode=True returns True for every function.",
    lambda inputs, options: options.get("fast_mode"),
)
succeeds_where(
    "fast_gradgradcheck_always_succeeds",
    "gradgradcheck with fast_mode=True returns True for every function.",
    lambda inputs, options: options.get("fast_mode"),
    "gradgradcheck",
)
succeeds_where(
    "gradcheck_of_constants_succeeds",
    "gradcheck returns True if no input requires grad.",
    lambda inputs, options: not needing(inputs),
)
succeeds_where(
    "gradcheck_of_nothing_succeeds",
    "gradcheck returns True if it is to check no mode.",
    lambda inputs, options: (
        not options.get("check_backward_ad", True) and not options.get("check_forward_ad")
    ),
)
succeeds_where("gradcheck_passes_over_inputs_that_are_not_contiguous",
               "gradcheck does not look at inputs that are not contiguous.",
               lambda inputs, options: not all(x.is_contiguous() for x in needing(inputs)))  # fmt: skip


@fault
def gradcheck_turns_every_error_into_false(patch: Patch) -> None:
    """gradcheck with raise_exception=False returns False for any error, also of the function itself."""

    def change(check: Check, func: Any, inputs: Any, **options: Any) -> Any:
        try:
            return check(func, inputs, **options)
        except Exception:
            if options.get("raise_exception", True):
                raise
            return False

    instead(patch, "gradcheck", change)


@fault
def gradcheck_gives_gradients_of_one_only(patch: Patch) -> None:
    """gradcheck does not notice a backward that ignores the gradient of the result."""

    def change(check: Check, func: Any, inputs: Any, **options: Any) -> Any:
        try:
            return check(func, inputs, **{**options, "raise_exception": True})
        except RuntimeError as error:
            if "not multiplied" in str(error):
                return True
            if options.get("raise_exception", True) or "GradcheckError" not in type(error).__name__:
                raise
            return False

    instead(patch, "gradcheck", change)


@fault
def gradcheck_wants_floating_results(patch: Patch) -> None:
    """gradcheck rejects a function that also returns integers."""

    def change(check: Check, func: Any, inputs: Any, **options: Any) -> Any:
        for y in as_tuple(func(*as_tuple(inputs))):
            if not (y.is_floating_point() or y.is_complex()):
                raise TypeError("expected floating-point results")
        return check(func, inputs, **options)

    instead(patch, "gradcheck", change)


@fault
def gradcheck_compares_memory_with_itself(patch: Patch) -> None:
    """gradcheck keeps results that share memory with an input, so that they do not differ after a step."""

    def change(check: Check, func: Any, inputs: Any, **options: Any) -> Any:
        first: list[Any] = []

        def function(*args: Any) -> Any:
            results = as_tuple(func(*args))
            if not first:
                first.extend(y.detach().clone() for y in results)
            return tuple(
                before + (y - y.detach()) if y._is_view() or any(y is x for x in args) else y
                for y, before in zip(results, first, strict=True)
            )

        return check(function, inputs, **options)

    instead(patch, "gradcheck", change)


@fault
def gradcheck_leaves_its_last_step(patch: Patch) -> None:
    """gradcheck leaves an input as it was moved last."""

    def change(check: Check, func: Any, inputs: Any, **options: Any) -> Any:
        try:
            return check(func, inputs, **options)
        finally:
            for x in needing(inputs):
                x.detach().add_(1e-6)

    instead(patch, "gradcheck", change)


@fault
def gradcheck_accumulates_gradients(patch: Patch) -> None:
    """gradcheck accumulates gradients into the inputs."""

    def change(check: Check, func: Any, inputs: Any, **options: Any) -> Any:
        for x in needing(inputs):
            if x.is_leaf:
                x.grad = torch.ones_like(x) if x.grad is None else x.grad + 1
        return check(func, inputs, **options)

    instead(patch, "gradcheck", change)


@fault
def gradcheck_does_not_warn(patch: Patch) -> None:
    """gradcheck does not warn of inputs in single precision."""

    def change(check: Check, func: Any, inputs: Any, **options: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return check(func, inputs, **options)

    instead(patch, "gradcheck", change)


@fault
def gradcheck_takes_expanded_inputs(patch: Patch) -> None:
    """gradcheck accepts an input whose elements share memory."""

    def change(check: Check, func: Any, inputs: Any, **options: Any) -> Any:
        if any(0 in x.stride() for x in needing(inputs)):
            (x,) = needing(inputs)
            inputs = x.detach().clone(memory_format=torch.contiguous_format).requires_grad_()
        return check(func, inputs, **options)

    instead(patch, "gradcheck", change)
