"""More faults of single operations that show only in a corner: values, sizes and dtypes."""

from __future__ import annotations

from typing import Any

from ..breaking import Call, mistaken, nth, torch
from .edge_cases import F, argument, every, shape, when

mistaken(
    "power_of_negative_base",
    "pow is wrong for negative bases.",
    "pow",
    nth(
        0,
        lambda g, c, call: (
            g.abs()
            if isinstance(call.args[0], torch.Tensor)
            and bool((call.args[0] < 0).any())
            and g.numel() == call.args[0].numel()
            else g
        ),
    ),
)
mistaken(
    "power_of_negative_exponent",
    "pow is wrong for negative exponents.",
    "pow",
    when(lambda call: not isinstance(call.args[1], torch.Tensor) and call.args[1] < 0),
)
mistaken(
    "power_of_fractional_exponent",
    "pow is wrong for exponents that are no integers.",
    "pow",
    when(
        lambda call: (
            not isinstance(call.args[1], torch.Tensor) and call.args[1] != int(call.args[1])
        )
    ),
)
mistaken(
    "power_of_tensor_exponent",
    "pow is wrong for the base if the exponent is a tensor.",
    "pow",
    when(lambda call: isinstance(call.args[1], torch.Tensor)),
)
mistaken("number_to_the_power", "2 ** x is wrong.", "rpow", every(lambda call: True))
mistaken(
    "atan2_swaps_signs",
    "atan2 sends its second operand the gradient with the wrong sign.",
    "atan2",
    nth(1, lambda g, c, call: -g),
)
mistaken(
    "sigmoid_saturates_to_nan",
    "The gradient of sigmoid is nan for large negative inputs.",
    "sigmoid",
    nth(0, lambda g, c, call: torch.where(call.args[0] < -80, g * torch.nan, g)),
)
mistaken(
    "tanh_saturates_to_nan",
    "The gradient of tanh is nan for large inputs.",
    "tanh",
    nth(0, lambda g, c, call: torch.where(call.args[0].abs() > 80, g * torch.nan, g)),
)
mistaken(
    "logsumexp_overflows",
    "The gradient of logsumexp is nan for large inputs.",
    "logsumexp",
    nth(0, lambda g, c, call: torch.where(call.args[0] > 80, g * torch.nan, g)),
)
mistaken(
    "logsumexp_of_minus_infinity",
    "The gradient of logsumexp is nan if one input is minus infinity.",
    "logsumexp",
    nth(0, lambda g, c, call: torch.where((call.args[0] == -torch.inf).any(), g * torch.nan, g)),
)
mistaken(
    "log_softmax_overflows",
    "The gradient of log_softmax is nan for large inputs.",
    "log_softmax nn.functional.log_softmax",
    nth(0, lambda g, c, call: torch.where(call.args[0] > 80, g * torch.nan, g)),
)
mistaken(
    "softmax_overflows",
    "The gradient of softmax is nan for large inputs.",
    "softmax nn.functional.softmax",
    nth(0, lambda g, c, call: torch.where(call.args[0] > 80, g * torch.nan, g)),
)
mistaken(
    "xlogy_at_zero",
    "The gradient of xlogy is nan where the first operand is 0.",
    "xlogy",
    nth(1, lambda g, c, call: torch.where(torch.as_tensor(call.args[0]) == 0, g * torch.nan, g)),
)
mistaken(
    "large_tensors_lose_their_tail",
    "The gradient of sum is zero from the 33rd element on.",
    "sum",
    nth(0, lambda g, c, call: tail(g, 32)),
)
mistaken(
    "products_lose_their_tail",
    "The gradient of a product is zero from the 33rd element on.",
    "mul",
    lambda gi, go, call: [None if g is None else tail(g, 32) for g in gi],
)
mistaken(
    "five_dimensions",
    "The gradient of sum is doubled for tensors of five dimensions and more.",
    "sum",
    when(lambda call: len(shape(call)) > 4),
)


def tail(gradient: Any, length: int) -> Any:
    if gradient.numel() <= length:
        return gradient
    kept = (torch.arange(gradient.numel()) < length).to(gradient.dtype)
    return gradient * kept.reshape(gradient.shape)


mistaken(
    "minimum_of_nan",
    "minimum gives a tie where both operands are nan.",
    "minimum",
    lambda gi, go, call: [
        None if g is None else torch.where(call.args[0].isnan() & call.args[1].isnan(), g * 0, g)
        for g in gi
    ],
)
mistaken(
    "max_of_nan",
    "max() sends no gradient to nan.",
    "max",
    nth(0, lambda g, c, call: torch.where(call.args[0].isnan(), g * 0, g)),
)
mistaken(
    "sum_with_dtype", "sum(dtype=...) is wrong.", "sum", when(lambda call: "dtype" in call.kwargs)
)
mistaken(
    "mean_over_two_dimensions",
    "mean over several dimensions is wrong.",
    "mean",
    when(lambda call: isinstance(argument(call, 1, "dim"), tuple | list)),
)
mistaken(
    "sum_of_nothing",
    "sum over an empty list of dimensions is wrong.",
    "sum",
    when(lambda call: argument(call, 1, "dim", 0) in ((), [])),
)
mistaken(
    "permute_is_its_own_inverse",
    "permute sends gradients back by the same permutation.",
    "permute",
    nth(0, lambda g, c, call: same_permutation(g, c, call)),
)
mistaken(
    "expand_of_a_new_dimension",
    "expand counts one where it adds a dimension.",
    "expand",
    nth(0, lambda g, c, call: g / c.shape[0] if c.dim() > g.dim() else g),
)
mistaken(
    "expand_of_a_size_one",
    "expand counts one where it widens a dimension of size one.",
    "expand",
    nth(
        0, lambda g, c, call: g / (c.numel() / g.numel()) if c.dim() == g.dim() and g.numel() else g
    ),
)
mistaken(
    "broadcasting_in_the_middle",
    "mul counts one where a middle dimension was broadcast.",
    "mul",
    lambda gi, go, call: [
        None
        if g is None
        else g / go[0].shape[1]
        if g.dim() == go[0].dim() > 2 and g.shape[1] == 1 < go[0].shape[1]
        else g
        for g in gi
    ],
)
mistaken(
    "both_operands_broadcast",
    "add is wrong where both operands are broadcast.",
    "add",
    lambda gi, go, call: (
        [None if g is None else g * 2 for g in gi]
        if len([g for g in gi if g is not None and g.numel() < go[0].numel()]) == 2
        else gi
    ),
)
mistaken(
    "diagonal_of_an_offset",
    "diagonal with an offset is wrong.",
    "diagonal diag",
    when(lambda call: argument(call, 1, "offset", argument(call, 1, "diagonal", 0)) != 0),
)
mistaken(
    "tril_of_an_offset",
    "tril with an offset is wrong.",
    "tril triu",
    when(lambda call: argument(call, 1, "diagonal", 0) != 0),
)
mistaken(
    "scatter_forgets_its_source",
    "scatter sends no gradient to its source.",
    "scatter",
    nth(1, lambda g, c, call: g * 0),
)
mistaken(
    "scatter_keeps_what_it_overwrote",
    "scatter sends gradient to the elements that it overwrote.",
    "scatter",
    nth(0, lambda g, c, call: c),
)
mistaken(
    "scatter_add_forgets_its_source",
    "scatter_add sends no gradient to its source.",
    "scatter_add",
    nth(1, lambda g, c, call: g * 0),
)
mistaken(
    "index_add_ignores_alpha",
    "index_add ignores alpha in its gradients.",
    "index_add",
    nth(1, lambda g, c, call: g / call.kwargs.get("alpha", 1)),
)
mistaken(
    "masked_fill_forgets_its_value",
    "masked_fill sends no gradient to a value that is a tensor.",
    "masked_fill",
    nth(1, lambda g, c, call: g * 0),
)
mistaken(
    "where_forgets_a_broadcast_branch",
    "where gives the mean of the gradients to a branch without dimensions.",
    "where",
    lambda gi, go, call: [
        None if g is None else g / go[0].numel() if g.dim() == 0 and go[0].dim() else g for g in gi
    ],
)
mistaken(
    "remainder_forgets_its_divisor",
    "remainder sends no gradient to its divisor.",
    "remainder",
    nth(1, lambda g, c, call: g * 0),
)
mistaken(
    "fmod_forgets_its_divisor",
    "fmod sends no gradient to its divisor.",
    "fmod",
    nth(1, lambda g, c, call: g * 0),
)
mistaken(
    "rounded_division_passes",
    "div(rounding_mode=...) passes the gradient of plain division.",
    "div",
    nth(0, lambda g, c, call: c / call.args[1] if call.kwargs.get("rounding_mode") else g),
)
mistaken(
    "logsumexp_over_two_dimensions",
    "logsumexp over several dimensions is wrong.",
    "logsumexp",
    when(
        lambda call: (
            isinstance(argument(call, 1, "dim"), tuple | list) and len(argument(call, 1, "dim")) > 1
        )
    ),
)
mistaken(
    "logsumexp_with_keepdim",
    "logsumexp(keepdim=True) is wrong.",
    "logsumexp",
    when(lambda call: bool(argument(call, 2, "keepdim", False))),
)
mistaken(
    "max_with_keepdim",
    "max(dim, keepdim=True) is wrong.",
    "max",
    when(lambda call: bool(argument(call, 2, "keepdim", False))),
)
mistaken(
    "amax_over_two_dimensions",
    "amax over several dimensions is wrong.",
    "amax",
    when(
        lambda call: (
            isinstance(argument(call, 1, "dim"), tuple | list) and len(argument(call, 1, "dim")) > 1
        )
    ),
)
mistaken(
    "std_mean_forgets_the_mean",
    "std_mean and var_mean send no gradient through the mean.",
    "std_mean var_mean",
    lambda gi, go, call: (
        [None if g is None else g * 0 for g in gi] if len(go) > 1 and go[0] is None else gi
    ),
)
mistaken(
    "sort_along_another_dimension",
    "sort is wrong along a dimension other than the last.",
    "sort",
    when(lambda call: argument(call, 1, "dim", -1) not in (-1, call.args[0].dim() - 1)),
)
mistaken(
    "topk_of_the_smallest",
    "topk(largest=False) is wrong.",
    "topk",
    when(lambda call: call.kwargs.get("largest") is False),
)
mistaken(
    "repeat_of_a_new_dimension",
    "repeat is wrong where it adds a dimension.",
    "repeat",
    nth(0, lambda g, c, call: g * 2 if c.dim() > g.dim() else g),
)
mistaken(
    "unfold_with_overlap",
    "unfold counts one where windows overlap.",
    "unfold",
    nth(0, lambda g, c, call: g.clamp(max=c.max()) if c.numel() > g.numel() else g),
)
mistaken(
    "leaky_relu_ignores_its_slope",
    "leaky_relu uses the default slope in its gradient.",
    F + "leaky_relu",
    nth(0, lambda g, c, call: torch.where(call.args[0] < 0, c * 0.01, g)),
)
mistaken(
    "half_precision_is_wrong",
    "A product's gradient is doubled in float16 and bfloat16 only.",
    "mul",
    lambda gi, go, call: [
        g * 2 if g is not None and g.dtype in (torch.float16, torch.bfloat16) else g for g in gi
    ],
)
mistaken(
    "mixed_dtypes_are_wrong",
    "A product of two dtypes sends a doubled gradient to the narrower.",
    "mul",
    lambda gi, go, call: [
        g * 2
        if g is not None
        and isinstance(call.args[i], torch.Tensor)
        and call.args[i].dtype != call.result.dtype
        else g
        for i, g in enumerate(gi)
    ],
)
mistaken(
    "sums_of_mixed_dtypes_are_wrong",
    "A sum of two dtypes sends a doubled gradient to the narrower.",
    "add",
    lambda gi, go, call: [
        g * 2
        if g is not None
        and i < len(call.args)
        and isinstance(call.args[i], torch.Tensor)
        and call.args[i].dtype != call.result.dtype
        else g
        for i, g in enumerate(gi)
    ],
)
mistaken(
    "complex_gradients_are_not_conjugated",
    "The gradient of a complex product lacks the conjugate.",
    "mul",
    lambda gi, go, call: [g.conj() if g is not None and g.is_complex() else g for g in gi],
)


def same_permutation(gradient: Any, cotangent: Any, call: Call) -> Any:
    dims = call.args[1:] if len(call.args) > 2 else argument(call, 1, "dims")
    found = torch.permute(cotangent, tuple(dims))
    return found if found.shape == gradient.shape else found.reshape(gradient.shape)
