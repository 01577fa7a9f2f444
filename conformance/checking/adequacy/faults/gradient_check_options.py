"""Faults of the rarer options of `gradcheck` and `gradgradcheck`, and of what their errors tell."""

from __future__ import annotations

import re
from typing import Any

from ..breaking import Patch, fault, register, torch
from .gradient_checks import Check, as_tuple, instead, succeeds_where, without

for option in (
    "nondet_tol", "check_undefined_grad", "check_batched_grad", "gen_non_contig_grad_outputs",
    "check_fwd_over_rev", "check_rev_over_rev",
):  # fmt: skip
    without(
        "gradgradcheck",
        option,
        f"gradgradcheck_ignores_{option}",
        f"gradgradcheck ignores {option}.",
    )
without(
    "gradcheck",
    "check_batched_forward_grad",
    "gradcheck_never_checks_batches_of_tangents",
    "gradcheck ignores check_batched_forward_grad.",
)


def batches_fail_without_dimensions(
    check: Check, func: Any, inputs: Any, *rest: Any, **options: Any
) -> Any:
    if options.get("check_batched_grad") and any(x.dim() == 0 for x in as_tuple(inputs)):
        raise TypeError("a gradient without dimensions has no batch")
    return check(func, inputs, *rest, **options)


register(
    "gradcheck_has_no_batches_of_numbers",
    "gradcheck with check_batched_grad=True raises an error for an input without dimensions.",
    lambda patch: instead(patch, "gradcheck", batches_fail_without_dimensions),
)

for option in ("masked", "check_grad_dtypes"):
    for check in ("gradcheck", "gradgradcheck"):
        succeeds_where(
            f"{check}_with_{option}_always_succeeds",
            f"{check} with {option}=True returns True for every function.",
            lambda inputs, options, option=option: options.get(option),
            check,
        )


def minding_nondeterminism(name: str, sentence: str, tolerance: float) -> None:
    """Put into the bank a gradgradcheck with another nondet_tol than it is given."""

    def change(check: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        return check(func, inputs, *rest, **{**options, "nondet_tol": tolerance})

    register(name, sentence, lambda patch: instead(patch, "gradgradcheck", change))


minding_nondeterminism(
    "gradgradcheck_minds_no_nondeterminism",
    "gradgradcheck accepts a backward whose gradients are not deterministic.",
    float("inf"),
)


def in_forward_mode(name: str, sentence: str, change: Any) -> None:
    """Put into the bank a gradcheck that checks forward mode for `change(func, inputs)` only."""

    def checked(check: Check, func: Any, inputs: Any, **options: Any) -> Any:
        if not options.get("check_forward_ad"):
            return check(func, inputs, **options)
        found = True
        if options.get("check_backward_ad", True):
            plain = {**options, "check_forward_ad": False, "check_batched_forward_grad": False}
            found = check(func, inputs, **plain)
        alone = {**options, "check_backward_ad": False, "check_undefined_grad": False}
        alone["check_batched_grad"] = False
        return found and check(*change(func, as_tuple(inputs)), **alone)

    register(name, sentence, lambda patch: instead(patch, "gradcheck", checked))


def only_the_first_input(func: Any, inputs: tuple[Any, ...]) -> tuple[Any, Any]:
    return func, (inputs[0], *(torch.as_tensor(x).detach() for x in inputs[1:]))


in_forward_mode(
    "forward_mode_is_checked_for_the_first_input",
    "gradcheck checks forward mode for the first input only.",
    only_the_first_input,
)
in_forward_mode(
    "forward_mode_is_checked_for_the_first_result",
    "gradcheck checks forward mode for the first result only.",
    lambda func, inputs: (lambda *args: as_tuple(func(*args))[0], inputs),
)
in_forward_mode(
    "forward_mode_is_checked_for_the_first_element",
    "gradcheck checks forward mode for the first element of each result only.",
    lambda func, inputs: (
        lambda *args: tuple(y.reshape(-1)[:1] for y in as_tuple(func(*args))),
        inputs,
    ),
)


def checking_nothing(check: str, name: str, sentence: str, options_of: Any) -> None:
    """Put into the bank a check that goes on with `options_of(options)` where it should raise."""

    def change(original: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        return original(func, inputs, *rest, **options_of(options))

    register(name, sentence, lambda patch: instead(patch, check, change))


checking_nothing(
    "gradgradcheck",
    "gradgradcheck_of_nothing_checks_backward",
    "gradgradcheck checks backward mode if it is told to check neither mode.",
    lambda options: (
        options if options.get("check_fwd_over_rev") else {**options, "check_rev_over_rev": True}
    ),
)
checking_nothing(
    "gradcheck",
    "a_batch_of_tangents_needs_no_forward_mode",
    "gradcheck ignores check_batched_forward_grad if it does not check forward mode.",
    lambda options: (
        options
        if options.get("check_forward_ad")
        else {**options, "check_batched_forward_grad": False}
    ),
)


@fault
def gradcheck_does_not_tell_which(patch: Patch) -> None:
    """The error of gradcheck tells neither which result nor which input is meant."""

    def change(check: Check, func: Any, inputs: Any, **options: Any) -> Any:
        try:
            return check(func, inputs, **options)
        except RuntimeError as error:
            if "GradcheckError" in type(error).__name__:
                error.args = (re.sub(r"(output|input) \d+", r"an \1", str(error)),)
            raise

    instead(patch, "gradcheck", change)


@fault
def gradcheck_counts_from_one(patch: Patch) -> None:
    """The error of gradcheck counts results and inputs from one."""

    def change(check: Check, func: Any, inputs: Any, **options: Any) -> Any:
        try:
            return check(func, inputs, **options)
        except RuntimeError as error:
            if "GradcheckError" in type(error).__name__:
                later = re.sub(
                    r"(output|input) (\d+)",
                    lambda found: f"{found[1]} {int(found[2]) + 1}",
                    str(error),
                )
                error.args = (later,)
            raise

    instead(patch, "gradcheck", change)


def unless_given(option: str, value: Any, name: str, sentence: str) -> None:
    """Put into the bank a gradgradcheck with another default of an option."""

    def change(check: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        return check(func, inputs, *rest, **{option: value, **options})

    register(name, sentence, lambda patch: instead(patch, "gradgradcheck", change))


unless_given(
    "rtol", 0.1, "gradgradcheck_is_lenient", "gradgradcheck has rtol=0.1 unless it is given."
)
unless_given(
    "atol", 0.001, "gradgradcheck_is_lenient_at_zero",
    "gradgradcheck has atol=0.001 unless it is given.",
)  # fmt: skip
unless_given(
    "gen_non_contig_grad_outputs", True, "gradgradcheck_draws_gradients_apart",
    "gradgradcheck draws gradients that are not contiguous unless it is told not to.",
)  # fmt: skip


def is_complex(x: Any) -> bool:
    return isinstance(x, torch.Tensor) and x.is_complex()


succeeds_where(
    "gradgradcheck_of_complex_numbers_always_succeeds",
    "gradgradcheck returns True for complex inputs.",
    lambda inputs, options: any(map(is_complex, as_tuple(inputs))),
    "gradgradcheck",
)


@fault
def gradgradcheck_takes_the_first_of_given_gradients(patch: Patch) -> None:
    """gradgradcheck uses only the first of the grad_outputs that it is given."""

    def change(
        check: Check, func: Any, inputs: Any, given: Any = None, *rest: Any, **options: Any
    ) -> Any:
        if isinstance(given, tuple | list):
            given = (given[0], *(g.detach() for g in given[1:]))
        return check(func, inputs, given, *rest, **options)

    instead(patch, "gradgradcheck", change)


@fault
def gradcheck_takes_numbers_with_derivatives_only(patch: Patch) -> None:
    """gradcheck rejects tensors of integers among its inputs."""

    def change(check: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        for x in as_tuple(inputs):
            if isinstance(x, torch.Tensor) and not (x.is_floating_point() or x.is_complex()):
                raise TypeError("expected inputs of floating-point or complex dtype")
        return check(func, inputs, *rest, **options)

    instead(patch, "gradcheck", change)
    instead(patch, "gradgradcheck", change)
