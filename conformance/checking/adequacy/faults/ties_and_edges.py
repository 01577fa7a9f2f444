"""Derivatives at kinks, at ties and at the edges of domains: the limit, a half or a NaN is missed."""

from __future__ import annotations

import math
from typing import Any

from ..breaking import Call, each, instead, mistaken, nth, torch
from .edge_cases import F, argument
from .formulas import alike, spread
from .operations import at

SELU_SCALE = 1.0507009873554805


def nan_where(condition: Any, gradient: Any) -> Any:
    """A gradient with NaN at some elements; its own derivative is unchanged."""
    return gradient + torch.zeros_like(gradient).masked_fill(condition, math.nan)


nan_at_zero = each(lambda g, call: nan_where(call.args[0] == 0, g))


def over_itself(gradients: Any, cotangents: Any, call: Call) -> Any:
    """Gradients that were divided by a result of zero are NaN."""
    if call.result.dim():
        return gradients
    return [None if g is None else g + 0 / call.result for g in gradients]


# --- functions with kinks ---

for name, sentence, operations, change in (
    ("abs_divides_by_itself", "The derivative of abs(x) is x / abs(x), NaN at 0.", "abs", nan_at_zero),
    ("ceil_passes", "ceil passes the gradient straight through.", "ceil", nth(0, lambda g, c, call: c)),
    ("trunc_passes", "trunc passes the gradient straight through.", "trunc", nth(0, lambda g, c, call: c)),
    ("frac_is_flat", "frac has derivative 0.", "frac", each(lambda g, call: g * 0)),
    ("leaky_relu_at_zero_is_one", "leaky_relu has its positive slope at 0.", f"{F}leaky_relu", at(0, 1)),
    ("selu_at_zero_has_its_positive_slope", "selu has its positive slope at 0.", f"selu {F}selu", at(0, SELU_SCALE)),
    ("sinc_at_zero_is_nan", "The derivative of sinc at 0 is 0 / 0.", "sinc", nan_at_zero),
):  # fmt: skip
    mistaken(name, sentence, operations, change)


def bounds(call: Call) -> tuple[Any, Any]:
    """The bounds of clamp, hardtanh or relu6, infinite where they are left away."""
    low, high = argument(call, 1, "min"), argument(call, 2, "max")
    return (-math.inf if low is None else low), (math.inf if high is None else high)


def beyond(changed: Any, gradient: Any) -> Any:
    """The changed gradient, unless bounds that are broadcast made it larger."""
    return changed if changed.shape == gradient.shape else gradient


mistaken(
    "clamp_stops_at_its_lower_bound",
    "clamp sends no gradient where the input equals the lower bound.",
    "clamp",
    nth(0, lambda g, c, call: beyond(torch.where(call.args[0] == bounds(call)[0], g * 0, g), g)),
)
mistaken(
    "clamp_passes_above",
    "clamp passes the gradient above its upper bound.",
    "clamp",
    nth(0, lambda g, c, call: beyond(torch.where(call.args[0] > bounds(call)[1], c, g), g)),
)
instead(
    "lower_bounds_win",
    "Where the bounds of clamp are crossed, the lower one wins.",
    "clamp",
    lambda o, x, *a, **k: (
        o(o(x, max=a[1]), min=a[0])
        if len(a) == 2 and not k and None not in a and not isinstance(a[0], torch.Tensor)
        else o(x, *a, **k)
    ),
)


def at_corners(low: float, high: float) -> Any:
    """An activation that saturates passes the gradient exactly at its corners."""
    return nth(
        0,
        lambda g, c, call: torch.where(
            (call.args[0] == argument(call, 1, "min_val", low))
            | (call.args[0] == argument(call, 2, "max_val", high)),
            c,
            g,
        ),
    )


mistaken(
    "hardtanh_passes_at_its_corners",
    "hardtanh passes the gradient where the input equals a bound, as clamp does.",
    f"{F}hardtanh",
    at_corners(-1.0, 1.0),
)
mistaken(
    "hardshrink_passes_at_its_threshold",
    "hardshrink passes the gradient where the input equals the threshold.",
    f"hardshrink {F}hardshrink",
    nth(
        0,
        lambda g, c, call: torch.where(call.args[0].abs() == argument(call, 1, "lambd", 0.5), c, g),
    ),
)

# --- ties ---

mistaken(
    "ties_get_everything",
    "Each of several equal extrema gets the whole gradient of amax, amin, max or min.",
    "amax amin max min",
    nth(
        0,
        lambda g, c, call: (
            g
            if isinstance(call.result, tuple | list)
            or isinstance(argument(call, 1, "dim"), torch.Tensor)
            else torch.where(call.args[0] == spread(call.result, call), spread(c, call), g * 0)
        ),
    ),
)
mistaken(
    "every_element_gets_the_gradient_of_the_largest",
    "max and amax of everything send every element the whole gradient.",
    "max amax",
    nth(
        0,
        lambda g, c, call: (
            torch.ones_like(g) * c.sum() if len(call.args) == 1 and not call.kwargs else g
        ),
    ),
)
mistaken(
    "minimum_swaps",
    "minimum sends the gradient to the larger operand.",
    "minimum",
    lambda gi, go, call: list(reversed(gi)) if len(gi) == 2 and None not in gi else gi,
)
mistaken(
    "maximum_swaps",
    "maximum sends the gradient to the smaller operand.",
    "maximum",
    lambda gi, go, call: list(reversed(gi)) if len(gi) == 2 and None not in gi else gi,
)
mistaken(
    "maximum_gives_nothing_to_the_other_of_nan",
    "A number beside NaN gets none of the gradient of their maximum.",
    "maximum",
    alike(
        lambda gi, go, call: [
            None
            if g is None
            else torch.where(call.args[1 - i].isnan() & ~call.args[i].isnan(), g * 0, g)
            for i, g in enumerate(gi)
        ]
    ),
)
mistaken(
    "fmax_gives_nothing_to_the_first_of_equals",
    "fmax sends the first of two equal operands nothing.",
    "fmax",
    alike(nth(0, lambda g, c, call: torch.where(call.args[0] == call.args[1], g * 0, g))),
)
mistaken(
    "fmax_gives_to_nan",
    "fmax sends the gradient to a second operand that is NaN.",
    "fmax",
    alike(nth(1, lambda g, c, call: torch.where(call.args[1].isnan(), c, g))),
)


def first_of_equals(gradient: Any, cotangent: Any, call: Call) -> Any:
    """The gradient of a running extremum of a vector goes to the first of the equal elements."""
    x, results = call.args[0], call.result[0]
    if x.dim() != 1:
        return gradient
    first = (results.unsqueeze(1) == x.unsqueeze(0)).to(torch.int64).argmax(1)
    return torch.zeros_like(gradient).index_add(0, first, cotangent)


mistaken(
    "cummax_gives_to_the_first",
    "cummax sends the gradient to the first of equal elements.",
    "cummax",
    nth(0, first_of_equals),
)


def last_of_equals(o: Any, x: Any, *a: Any, **k: Any) -> Any:
    """max along a dimension that finds the last of equal elements."""
    if len(a) != 1 or type(a[0]) is not int or k:
        return o(x, *a, **k)
    found = o(x.flip(a[0]), a[0])
    return type(found)((found[0], x.shape[a[0]] - 1 - found[1]))


instead(
    "max_along_a_dimension_names_the_last",
    "max along a dimension finds the last of equal elements, and sends it the gradient.",
    "max",
    last_of_equals,
)


def upper(o: Any, x: Any, *a: Any, **k: Any) -> Any:
    """The upper of the two medians of an even number of elements."""
    found = o(-x, *a, **k)
    return -found if isinstance(found, torch.Tensor) else type(found)((-found[0], found[1]))


instead(
    "median_is_the_upper_one",
    "The median of an even number of elements is the upper of the two in the middle.",
    "median",
    upper,
)
instead(
    "nanmedian_over_a_dimension_is_the_upper_one",
    "nanmedian over a dimension is the upper of the two in the middle.",
    "nanmedian",
    lambda o, x, *a, **k: upper(o, x, *a, **k) if a or k else o(x),
)
instead(
    "aminmax_chooses_one_of_each",
    "aminmax sends each gradient to one of several equal elements.",
    "aminmax",
    lambda o, x, *a, **k: (
        o(x, *a, **k)
        if a or k
        else type(o(x))((x.flatten().sort()[0][0], x.flatten().sort()[0][-1]))
    ),
)
instead(
    "quantile_takes_the_lower_element",
    "A quantile between two elements is the lower one.",
    "quantile",
    lambda o, x, *a, **k: o(x, *a, **{"interpolation": "lower", **k}),
)

# --- zeros that formulas trip over ---

mistaken(
    "norm_and_dist_divide_by_themselves",
    "The derivatives of a norm and of a distance divide by it, and are NaN where it is 0.",
    "norm linalg.norm linalg.vector_norm dist",
    over_itself,
)
mistaken(
    "norms_of_low_order_divide_by_their_elements",
    "The derivative of a norm of an order below one is NaN for an element that is zero.",
    "norm linalg.norm linalg.vector_norm",
    nth(
        0,
        lambda g, c, call: (
            g + (call.args[0] / call.args[0] - 1.0)
            if argument(call, 1, "p", argument(call, 1, "ord")) == 0.5
            else g
        ),
    ),
)
mistaken(
    "std_divides_by_itself",
    "The derivative of a standard deviation divides by it, and is NaN where it is 0.",
    "std",
    over_itself,
)
mistaken(
    "norm_of_infinity_gives_every_largest_all",
    "The maximum norm sends each of several largest elements the whole gradient.",
    "norm linalg.norm linalg.vector_norm",
    nth(
        0,
        lambda g, c, call: (
            c * call.args[0].sign() * (call.args[0].abs() == call.result)
            if argument(call, 1, "p", argument(call, 1, "ord")) == math.inf
            and not call.result.dim()
            else g
        ),
    ),
)
instead(
    "the_deviation_of_one_element_is_zero",
    "var and std of one element are 0, not NaN.",
    "var std",
    lambda o, x, *a, **k: (
        o(x, correction=0) if x.numel() == 1 and not a and not k else o(x, *a, **k)
    ),
)
mistaken(
    "atan2_at_the_origin_is_nan",
    "atan2 divides 0 by 0 in its gradients at the origin.",
    "atan2",
    alike(each(lambda g, call: nan_where((call.args[0] == 0) & (call.args[1] == 0), g))),
)
instead(
    "xlogy_of_zeros_is_nan",
    "xlogy(0, 0) is 0 * log(0).",
    "xlogy",
    lambda o, x, y: torch.where((x == 0) & (y == 0), math.nan, o(x, y)),
)
mistaken(
    "slope_of_xlogy_is_always_the_logarithm",
    "The derivative of xlogy(x, y) for x is log(y), infinite where both are 0.",
    "xlogy",
    alike(nth(0, lambda g, c, call: c * call.args[1].log())),
)

# --- infinities and NaN ---

SMALL = 1e-6

mistaken(
    "slope_of_sqrt_is_clipped",
    "The derivative of sqrt is clipped near 0, where it is infinite.",
    "sqrt",
    nth(0, lambda g, c, call: torch.where(call.result < SMALL, c / (2 * SMALL), g)),
)
mistaken(
    "slope_of_log_is_clipped",
    "The derivative of log is clipped near 0, where it is infinite.",
    "log",
    nth(0, lambda g, c, call: c / call.args[0].clamp(min=SMALL)),
)
mistaken(
    "zero_cotangents_are_cut_short",
    "sqrt and div send back zero for a cotangent of zero, even where the derivative is infinite.",
    "sqrt div",
    lambda gi, go, call: [
        None
        if g is None
        else torch.where(go[0] == 0, torch.zeros_like(g), g)
        if g.shape == go[0].shape
        else g
        for g in gi
    ],
)


def raising(what: str, bad: Any) -> Any:
    """An operation that raises if `bad(*args)`."""

    def operation(o: Any, *args: Any, **kwargs: Any) -> Any:
        if bad(*args):
            raise ValueError(what)
        return o(*args, **kwargs)

    return operation


instead(
    "division_by_zero_raises",
    "A division by zero raises.",
    "div",
    raising("division by zero", lambda x, y, *a: bool((torch.as_tensor(y) == 0).any())),
)
instead(
    "roots_of_negative_numbers_raise",
    "sqrt raises below zero.",
    "sqrt",
    raising("math domain error", lambda x: bool((x < 0).any())),
)


def unshifted(o: Any, x: Any, *a: Any, **k: Any) -> Any:
    """softmax by its definition."""
    dim = k.get("dim", a[0] if a else -1)
    return x.exp() / x.exp().sum(dim, keepdim=True) if len(a) + len(k) == 1 else o(x, *a, **k)


instead(
    "softmax_is_not_shifted",
    "softmax does not subtract the largest logit, and overflows.",
    "softmax",
    unshifted,
)
mistaken(
    "nansum_gives_to_nan",
    "nansum sends NaN elements the gradient too.",
    "nansum",
    nth(0, lambda g, c, call: spread(c, call)),
)
mistaken(
    "nan_to_num_passes",
    "nan_to_num passes the gradient of what it replaced.",
    "nan_to_num",
    nth(0, lambda g, c, call: c),
)
mistaken(
    "logit_slopes_outside_of_its_domain",
    "logit has a derivative outside of its domain, where it has no value.",
    "logit",
    nth(
        0,
        lambda g, c, call: (
            c / (call.args[0] * (1 - call.args[0]))
            if len(call.args) == 1 and not call.kwargs
            else g
        ),
    ),
)

# --- whole quotients and draws ---

mistaken(
    "remainder_truncates",
    "remainder rounds its quotient towards zero in its gradient for the divisor.",
    "remainder",
    alike(nth(1, lambda g, c, call: -c * (call.args[0] / call.args[1]).trunc())),
)
mistaken(
    "fmod_floors",
    "fmod rounds its quotient down in its gradient for the divisor.",
    "fmod",
    alike(nth(1, lambda g, c, call: -c * (call.args[0] / call.args[1]).floor())),
)
instead(
    "floor_divide_is_flat",
    "floor_divide, which has no derivative, has the derivative 0.",
    "floor_divide",
    lambda o, x, y: torch.div(x, y, rounding_mode="floor"),
)
instead(
    "times_zero_is_a_constant",
    "x * 0.0 is a constant.",
    "mul",
    lambda o, x, y: o(x, y).detach() if type(y) is float and y == 0 else o(x, y),
)
instead(
    "sampling_passes_straight_through",
    "bernoulli passes the gradient straight through to the probabilities.",
    "bernoulli",
    lambda o, x, *a, **k: o(x, *a, **k) + (x - x.detach()),
)
mistaken(
    "det_goes_through_the_inverse",
    "The derivative of det is that of the inverse, which a singular matrix lacks.",
    "det linalg.det",
    nth(0, lambda g, c, call: c * call.result * torch.inverse(call.args[0]).transpose(-2, -1)),
)
