"""Values that are wrong: what operations that have no derivative give, and in which dtype."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, fault, instead, mistaken, torch

instead(
    "arg_extrema_count_from_one",
    "argmax and argmin count from one.",
    "argmax argmin",
    lambda o, x, *a, **k: o(x, *a, **k) + 1,
)


@fault
def all_and_any_are_exchanged(patch: Patch) -> None:
    """all() tells whether any element is true, any() whether all are."""
    for owner in (torch, torch.Tensor):
        every, some = owner.all, owner.any
        patch.set(owner, "all", some)
        patch.set(owner, "any", every)


instead(
    "zeros_are_counted",
    "count_nonzero counts the zeros.",
    "count_nonzero",
    lambda o, x, *a, **k: o(x == 0, *a, **k),
)
instead(
    "places_of_zeros_are_given",
    "nonzero gives the places of the zeros.",
    "nonzero argwhere",
    lambda o, x, *a, **k: o(x == 0, *a, **k),
)
instead(
    "nextafter_is_of_single_precision",
    "nextafter gives the next number of float32, whatever the dtype.",
    "nextafter",
    lambda o, x, y: o(x.float(), y.float()).to(x.dtype),
)
instead(
    "nextafter_goes_away",
    "nextafter goes away from its second operand.",
    "nextafter",
    lambda o, x, y: 2 * x - o(x, y),
)


def corrected_as_counts(o: Any, x: Any, *a: Any, **k: Any) -> Any:
    """cov whose divisor is lowered by the whole correction, whatever the weights of columns."""
    right, weights = o(x, *a, **k), k.get("aweights")
    if weights is None:
        return right
    counts, correction = k.get("fweights"), k.get("correction", 1)
    of_columns = weights if counts is None else weights * counts
    total = of_columns.sum()
    share = (of_columns * weights).sum() / total
    return right * ((total - correction * share) / (total - correction))


instead(
    "weights_of_columns_count",
    "cov(aweights=w) lowers the divisor by one, as counts do.",
    "cov",
    corrected_as_counts,
)


def is_whole(value: Any) -> bool:
    """Whether an operand is an integer, or a tensor of integers."""
    return not value.is_floating_point() if isinstance(value, torch.Tensor) else type(value) is int


instead(
    "quotients_of_integers_are_wide",
    "The quotient of integers is float64.",
    "div",
    lambda o, x, y, **k: (
        o(x, y).to(torch.float64) if is_whole(x) and is_whole(y) and not k else o(x, y, **k)
    ),
)


def converted(factor: float) -> Any:
    """The gradient is scaled where the dtype of an operand is not that of the result."""
    return lambda gi, go, call: [
        None
        if g is None
        else g * factor
        if i < len(call.args)
        and isinstance(call.args[i], torch.Tensor)
        and isinstance(call.result, torch.Tensor)
        and call.args[i].dtype != call.result.dtype
        else g
        for i, g in enumerate(gi)
    ]


mistaken(
    "results_in_another_dtype_halve_the_gradient",
    "An operation that is asked for another dtype halves the gradient.",
    "sum mean prod cumsum cumprod softmax log_softmax to",
    converted(0.5),
)
mistaken(
    "converted_operands_are_constants",
    "An operand that was converted to the dtype of the other counts as a constant.",
    "add sub mul div maximum minimum",
    converted(0.0),
)
