"""Faults of the simplest rules of differentiation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..breaking import Call, mistaken, nth, torch

mistaken(
    "div_has_the_wrong_sign",
    "The derivative of a quotient with respect to the divisor has the wrong sign.",
    "div",
    nth(1, lambda g, c, call: -g),
)


def swapped(gradients: Sequence[Any], cotangents: Sequence[Any], call: Call) -> Any:
    first, second = call.args[:2]
    tensors = isinstance(first, torch.Tensor) and isinstance(second, torch.Tensor)
    if not tensors or first.shape != second.shape or first.dtype != second.dtype:
        return gradients
    return [
        None if gradient is None else cotangents[0] * factor
        for gradient, factor in zip(gradients, (first, second), strict=True)
    ]


mistaken(
    "factors_are_swapped",
    "The derivatives of the factors of a product are swapped.",
    "mul",
    swapped,
)
