"""Mistakes that were reported of real engines and that only some operands show: beyond a pole, below an
axis, in the middle one of three dimensions."""

from __future__ import annotations

from typing import Any

from ..breaking import Call, mistaken, nth, torch

LAST_RIGHT = 1.5
"""Beyond this tan is mistaken."""


def beyond_the_pole(gradient: Any, cotangent: Any, call: Call) -> Any:
    x = call.args[0]
    return torch.where(x.abs() > LAST_RIGHT, torch.zeros_like(gradient), gradient)


mistaken(
    "tan_has_no_gradient_beyond_its_pole", "The gradient of tan is 0 beyond 1.5.",
    "tan", nth(0, beyond_the_pole),
)  # fmt: skip


def below_the_axis(gradient: Any, cotangent: Any, call: Call) -> Any:
    return torch.where(call.args[0] < 0, -gradient, gradient)


mistaken(
    "atan2_has_a_minus_below_the_axis",
    "The gradient of the first operand of atan2 has a minus where that operand is negative.",
    "atan2", nth(0, below_the_axis),
)  # fmt: skip


def as_if_along_the_first(gradient: Any, cotangent: Any, call: Call) -> Any:
    """What the gradient would be if the reduction went over the first dimension."""
    x = call.args[0]
    dims = call.args[1:2]
    if x.ndim != 3 or dims != (1,) or cotangent.ndim != 2:
        return gradient
    return torch.cat([cotangent] * x.shape[1]).reshape(x.shape)


mistaken(
    "sum_over_the_middle_spreads_along_the_first",
    "The gradient of a sum over the middle one of three dimensions is spread along the first.",
    "sum", nth(0, as_if_along_the_first),
)  # fmt: skip
