"""Faults that users of other engines have reported: the threads are in the comments."""

from __future__ import annotations

import math
from typing import Any

from ..breaking import Call, Patch, around, each, fault, instead, mistaken, replaces, torch
from .edge_cases import F


def gradients_beside(gradients: Any, cotangents: Any, call: Call) -> Any:
    """Twice the gradients where the input alone needs none."""
    first, *others = (value for value in call.args if isinstance(value, torch.Tensor))
    asked = [value for value in others if value.requires_grad]
    if first.requires_grad or len(asked) < 2:
        return gradients
    return [None if g is None else g * 2 for g in gradients]


mistaken(  # pytorch#183825
    "weight_and_bias_are_wrong_without_their_input",
    "layer_norm gives wrong gradients of weight and bias if its input requires none.",
    f"{F}layer_norm {F}conv2d {F}linear {F}bilinear", gradients_beside,
)  # fmt: skip


def first_rows(gradient: Any, call: Call) -> Any:
    """No gradient for a weight that thousands of rows share."""
    x = call.args[0]
    many = x.numel() > 4096 and tuple(gradient.shape) != tuple(x.shape)
    return torch.zeros_like(gradient) if many else gradient


mistaken(  # pytorch#177116, torch-xpu-ops#5018
    "weights_lose_their_gradient_over_many_rows",
    "The gradient of a weight is zero if thousands of rows share it.",
    f"{F}linear {F}layer_norm matmul mm", each(first_rows),
)  # fmt: skip


def in_full_vectors(gradient: Any, call: Call) -> Any:
    """Zero at NaN, but in the elements that do not fill a vector."""
    x = call.args[0]
    full = x.numel() // 8 * 8
    if not full or tuple(gradient.shape) != tuple(x.shape):
        return gradient
    nan = x.detach().reshape(-1).isnan() & (torch.arange(x.numel()) < full)
    return torch.where(nan.reshape(x.shape), torch.zeros_like(gradient), gradient)


mistaken(  # pytorch#195075
    "full_vectors_clear_gradients_at_nan",
    "Activations give NaN a gradient of zero in full vectors only.",
    f"{F}hardtanh {F}relu6 {F}hardshrink {F}softshrink {F}elu {F}celu {F}hardswish",
    each(in_full_vectors),
)  # fmt: skip
mistaken(  # tinygrad#12296
    "ties_are_counted_in_half_precision",
    "The number of equal extremes overflows in float16.",
    "max min amax amin",
    each(lambda g, call: g * 0 if g.dtype == torch.float16 and g.numel() > 65504 else g),
)
mistaken(  # pytorch#37154
    "distances_of_many_rows_have_no_gradient_at_zero",
    "cdist of more than 25 rows divides by a distance of zero.",
    f"cdist {F}cdist",
    each(
        lambda g, call: (
            g * math.nan if call.result.shape[-2] > 25 and bool((call.result == 0).any()) else g
        )
    ),
)
mistaken(  # pytorch#98276
    "angles_near_the_origin_have_no_gradient",
    "The gradient of an angle is NaN where the number is tiny.",
    "angle",
    each(lambda g, call: g * math.nan if bool((call.args[0].detach().abs() < 1e-9).any()) else g),
)
mistaken(  # pytorch#36493
    "distances_of_low_order_have_no_gradient",
    "cdist of an order below one gives NaN.",
    "cdist",
    each(
        lambda g, call: (
            g * math.nan
            if 0 < (call.args[2] if len(call.args) > 2 else call.kwargs.get("p", 2.0)) < 1
            else g
        )
    ),
)
mistaken(  # tt-metal#55827
    "gradients_that_are_no_number_become_infinite",
    "Functions that are steep at an end take a gradient of NaN for an infinite one.",
    "acos asin log logit reciprocal erfinv div",
    lambda gradients, cotangents, call: [
        None if g is None else torch.where(g.isnan(), torch.full_like(g, math.inf), g)
        if bool(cotangents[0].isnan().any()) and g.is_floating_point() else g
        for g in gradients
    ],
)  # fmt: skip

mistaken(  # pytorch#82644
    "vectors_with_a_zero_lose_the_gradient_of_their_product",
    "prod along the dimension of a vector that holds a zero has no gradient.",
    "prod",
    lambda gradients, cotangents, call: [
        g * 0 if g is not None and len(call.args) > 1 and call.args[0].dim() == 1
        and bool((call.args[0] == 0).any()) else g
        for g in gradients
    ],
)  # fmt: skip


def without_nan(original: Any, x: Any, *bounds: Any, **options: Any) -> Any:
    """Clamped, where a bound that is NaN is none."""
    least, most = (*bounds, None, None)[:2]
    if isinstance(least, torch.Tensor) and isinstance(most, torch.Tensor):
        return original(x, least.nan_to_num(-1e30), most.nan_to_num(1e30), **options)
    return original(x, *bounds, **options)


instead(  # pytorch#76795
    "bounds_that_are_no_number_do_not_bound",
    "clamp ignores bounds that are NaN.",
    "clamp",
    without_nan,
)


@fault
def reading_values_cuts_what_they_came_from(patch: Patch) -> None:
    """Reading a tensor, or a comparison with it, ends its history, as in mlx#610."""
    compared: dict[int, Any] = {}

    def compare(original: Any, x: Any, *others: Any, **options: Any) -> Any:
        result = original(x, *others, **options)
        if isinstance(x, torch.Tensor) and isinstance(result, torch.Tensor):
            compared[id(result)] = (result, x)
        return result

    def read(original: Any, x: Any, *others: Any, **options: Any) -> Any:
        values = original(x, *others, **options)
        _, source = compared.pop(id(x), (None, None))
        if source is not None and source.grad_fn is not None and source._base is None:
            source.detach_()
        return values

    around(patch, "lt", compare)
    patch.wrap(torch.Tensor, "__lt__", lambda original: lambda x, y: compare(original, x, y))
    around(patch, "tolist", read)
    patch.at_end(compared.clear)


@replaces("inference_mode.__call__")
def inference_mode_off_is_no_decorator(original: Any, self: Any, function: Any) -> Any:
    """inference_mode(False) as a decorator changes nothing, as in pytorch#74094."""
    is_on = getattr(self, "flag", True) and getattr(self, "mode", True)
    return original(self, function) if is_on else function
