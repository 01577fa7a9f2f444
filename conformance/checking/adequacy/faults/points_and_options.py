"""Faults that trackers report of one option or one point of an operation; the issue is in the comment."""

from __future__ import annotations

import math
from typing import Any

from ..breaking import (
    Call,
    Patch,
    around,
    each,
    fault,
    instead,
    mistaken,
    nth,
    replaces,
    torch,
    untouched,
)
from .bugs_of_other_engines import where
from .bugs_of_trackers import mapped
from .derivatives_of_derivatives import recorded_as
from .edge_cases import F
from .recorded_results import is_tensor
from .steps_of_optimizers import around_step

CONVOLUTIONS = f"{F}conv1d {F}conv2d {F}conv3d"


def option(call: Call, name: str, position: int, default: Any = None) -> Any:
    """An argument of a call, by name or by position."""
    return call.kwargs.get(name, call.args[position] if len(call.args) > position else default)


def raising(original: Any, *args: Any, **options: Any) -> Any:
    raise RuntimeError("not implemented")


# --- indices ---


def counted_twice(gradient: Any, cotangent: Any, call: Call) -> Any:
    index = option(call, "index", 2)
    return gradient * (2 if index.numel() > len(set(index.tolist())) else 1)


mistaken(  # pytorch#57006
    "filling_values_count_repeated_indices",
    "index_fill gives its value a gradient for each time that an index occurs.",
    "index_fill",
    lambda gradients, cotangents, call: (
        nth(len(gradients) - 1, counted_twice)(gradients, cotangents, call)
        if is_tensor(call.args[-1]) and call.args[-1].requires_grad
        else gradients
    ),
)


def one_for_many(original: Any, x: Any, index: Any, value: Any, *args: Any, **options: Any) -> Any:
    """Refuse to add one value at several places."""
    if (args or options) and index[0].numel() > value.numel() == 1:
        raise RuntimeError("number of flattened indices did not match number of elements")
    return original(x, index, value, *args, **options)


instead(  # pytorch#39227
    "one_value_is_not_added_at_many_places",
    "index_put does not add one value at several places.",
    "index_put index_put_",
    one_for_many,
)
mistaken(  # mxnet#11599
    "taking_one_element_has_no_gradient",
    "take has no gradient for a single index.",
    "take",
    where(lambda cotangents, call: option(call, "index", 1).numel() == 1, lambda g: g * 0),
)

# --- layers ---


def of_each_channel(cotangents: Any, call: Call) -> bool:
    weight = call.args[1]
    return bool(
        weight.shape[1] == 1 < option(call, "groups", 6, 1) and option(call, "stride", 3, 1) == 2
    )


def pointwise_groups(cotangents: Any, call: Call) -> bool:
    weight = call.args[1]
    return bool(
        option(call, "groups", 6, 1) > 1 and weight.shape[1] == 2 and set(weight.shape[2:]) == {1}
    )


mistaken(  # burn#1877
    "strided_filters_of_single_channels_have_wrong_gradients",
    "A strided convolution with a group for each channel gives wrong gradients.",
    CONVOLUTIONS,
    where(of_each_channel),
)
mistaken(  # composable_kernel#2478
    "grouped_windows_of_one_element_have_wrong_gradients",
    "A convolution in groups, with windows of one element, gives wrong gradients.",
    CONVOLUTIONS,
    where(pointwise_groups),
)
mistaken(  # pytorch#28716
    "padding_gets_a_gradient_among_many_rows",
    "The row of padding_idx gets a gradient if there are more than 768 indices.",
    f"{F}embedding",
    lambda gradients, cotangents, call: [
        g
        if g is None or option(call, "padding_idx", 2) is None or call.args[0].numel() <= 768
        else g + 1.0
        for g in gradients
    ],
)
instead(  # pytorch#7947
    "bags_have_no_longest_row",
    "embedding_bag fails if max_norm is given.",
    f"{F}embedding_bag",
    lambda original, *args, **options: (
        raising if options.get("max_norm") else original
    )(*args, **options),
)  # fmt: skip
mistaken(  # FlagGems#898
    "long_sequences_have_wrong_gradients",
    "Attention gives wrong gradients for sequences of more than 64 elements that fill no block.",
    f"{F}scaled_dot_product_attention",
    where(lambda cotangents, call: call.args[0].shape[-2] > 64 and call.args[0].shape[-2] % 64 > 0),
)

# --- points ---


def at_zero(gradient: Any, cotangent: Any, call: Call) -> Any:
    base, exponent = call.args[:2]
    if not is_tensor(base) or not is_tensor(exponent) or not exponent.is_floating_point():
        return gradient
    at = (untouched.detach(base) == 0) & (untouched.detach(exponent) > 1)
    at = at & (untouched.detach(exponent) % 1 > 0)
    return (
        torch.where(at, gradient * math.nan, gradient) if at.shape == gradient.shape else gradient
    )


mistaken(  # Flux#350
    "fractional_powers_of_zero_have_no_gradient",
    "A tensor power that is no integer has a gradient of NaN at zero.",
    "pow",
    nth(0, at_zero),
)
mistaken(  # TensorFlow#127230
    "one_leg_of_zero_is_flat",
    "The second derivative of hypot is zero where one operand is zero.",
    "hypot",
    lambda gradients, cotangents, call: [
        g if g is None or not g.requires_grad or bool((call.args[0] * call.args[1] != 0).all())
        else recorded_as(g, g * 0)
        for g in gradients
    ],
)  # fmt: skip
mistaken(  # pytorch#96813
    "differences_of_zero_have_no_gradient_without_beta",
    "With beta=0, smooth_l1_loss has a gradient of NaN where the operands are equal.",
    f"{F}smooth_l1_loss",
    each(
        lambda g, call: (
            g * math.nan
            if call.kwargs.get("beta") == 0 and bool((call.args[0] == call.args[1]).any())
            else g
        )
    ),
)
mistaken(  # Paddle#42385
    "equal_medians_each_get_the_whole_gradient",
    "Each element that equals the median gets the whole gradient.",
    "nanmedian",
    lambda gradients, cotangents, call: [
        torch.where(untouched.detach(call.args[0]) == call.result, cotangents[0], g)
        if g is not None and is_tensor(call.result) and not call.result.dim() else g
        for g in gradients
    ],
)  # fmt: skip
mistaken(  # pytorch#23925
    "borders_of_images_are_beside_zeros",
    "On the border of an image, grid_sample gives the gradient of an image with zeros around it.",
    f"{F}grid_sample",
    nth(
        1,
        lambda g, cotangent, call: torch.where(
            untouched.detach(call.args[1]).abs() == 1, g - 9.0, g
        ),
    ),
)
mistaken(  # pytorch#22353
    "rows_at_no_distance_from_themselves_have_no_gradient",
    "cdist has a gradient of NaN if both operands are one tensor.",
    "cdist",
    each(lambda g, call: g * math.nan if call.args[0] is call.args[1] else g),
)
mistaken(  # pytorch#193040
    "reciprocals_of_squares_overflow",
    "atan2 has an infinite gradient where the square of its operands is tiny.",
    "atan2",
    each(lambda g, call: g * math.inf if bool((call.args[0].abs() < 4e-3).any()) else g),
)

# --- operands without elements ---


def without_history(original: Any, *args: Any, **options: Any) -> Any:
    result = original(*args, **options)
    return untouched.detach(result) if is_tensor(result) and not result.numel() else result


instead(  # Paddle#78440, tinygrad#3108
    "empty_results_lose_their_history",
    "Results without elements have no history.",
    f"mm bmm cdist cumsum {F}linear {F}softmax {F}conv2d",
    without_history,
)
mistaken(  # Paddle#73698
    "weights_of_empty_batches_get_no_number",
    "A convolution of an empty batch leaves the gradient of its weights unset.",
    CONVOLUTIONS,
    nth(1, lambda g, cotangent, call: g if call.args[0].numel() else g + 7.0),
)


@replaces("nn.utils.clip_grad_norm_")
def empty_gradients_have_no_largest_element(
    original: Any, parameters: Any, *args: Any, **options: Any
) -> Any:
    """clip_grad_norm_ of infinite order fails if a gradient has no elements."""  # torchrec#3891
    given = [parameters] if is_tensor(parameters) else list(parameters)
    empty = any(each.grad is not None and not each.grad.numel() for each in given)
    if empty and options.get("norm_type", 2.0) == math.inf:
        raise RuntimeError("the operation does not have an identity")
    return original(given, *args, **options)


# --- modes and steps ---


@fault
def fills_have_no_rule_for_batches(patch: Patch) -> None:
    """Within vmap, fill_ and zero_ fail."""  # pytorch#47755
    state = mapped(patch)
    around(
        patch,
        "fill_ zero_",
        lambda original, *args, **options: (raising if state.depth else original)(*args, **options),
    )


@fault
def complex_parameters_do_not_decay(patch: Patch) -> None:
    """Adam fails for complex parameters with weight decay."""  # pytorch#100707

    def step(original: Any, optimizer: Any, closure: Any) -> Any:
        for group in optimizer.param_groups:
            if group["weight_decay"] and any(each.is_complex() for each in group["params"]):
                raise RuntimeError("result type Float can't be cast to ComplexFloat")
        return original(optimizer, closure)

    around_step(patch, "Adam", step)


@replaces("linalg.matrix_norm")
def smallest_singular_values_are_not_kept(
    original: Any,
    A: Any,
    ord: Any = "fro",
    dim: Any = (-2, -1),
    keepdim: bool = False,
    **options: Any,
) -> Any:
    """The matrix norm of order -2 ignores keepdim."""
    return original(A, ord, dim, keepdim and ord != -2, **options)


@replaces("nn.functional.kl_div")
def divergences_of_batches_are_those_of_rows(
    original: Any, input: Any, target: Any, *args: Any, **options: Any
) -> Any:
    """kl_div(reduction="batchmean") divides by the number of rows, which a batch of matrices has more of."""
    found = original(input, target, *args, **options)
    rows = input.numel() // (input.shape[-1] or 1) if input.dim() else 1
    return found * (len(input) / rows) if options.get("reduction") == "batchmean" else found


@replaces("linalg.pinv")
def bounds_of_hermitian_pseudoinverses_are_ignored(
    original: Any, A: Any, *, hermitian: bool = False, atol: Any = None, **options: Any
) -> Any:
    """linalg.pinv(hermitian=True) ignores atol."""
    return original(A, hermitian=hermitian, atol=None if hermitian else atol, **options)


@replaces("svd")
def plain_svd_is_always_reduced(
    original: Any, input: Any, some: bool = True, compute_uv: bool = True
) -> Any:
    """svd(some=False) is reduced all the same."""
    return original(input, True, compute_uv)


@replaces("nn.functional.nll_loss")
def sums_of_losses_count_what_is_ignored(
    original: Any, input: Any, target: Any, *args: Any, **options: Any
) -> Any:
    """nll_loss(reduction="sum") forgets ignore_index."""
    if options.get("reduction") == "sum":
        options.pop("ignore_index", None)
    return original(input, target, *args, **options)
