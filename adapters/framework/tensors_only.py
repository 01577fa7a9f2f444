"""Functions whose operands are tensors in PyTorch, and often numbers or lists as well in engines with other names.

Such an engine accepts more than PyTorch does, which is no failure: `maximum(x, 2.0)` is unsupported there. On an
engine with PyTorch's own names it is judged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .engine import Unsupported

TENSORS_ONLY = frozenset({
    "maximum", "minimum", "fmax", "fmin", "atan2", "hypot", "logaddexp", "logaddexp2", "ldexp",
    "nextafter", "heaviside", "polar",
})  # fmt: skip

ONE_TENSOR = frozenset({"pow"})
"""Functions of which one operand is a tensor in PyTorch, whichever it is: `pow(2.0, 3.0)` is unsupported there."""


def rejecting_numbers(word: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that takes neither numbers nor lists where PyTorch's takes tensors."""
    too_many = all if word in ONE_TENSOR else any

    def call(*operands: Any, **keywords: Any) -> Any:
        if operands and too_many(
            isinstance(operand, int | float | complex) for operand in operands
        ):
            raise Unsupported(f"{word} of a number")
        if any(isinstance(operand, list | tuple) for operand in operands):
            raise Unsupported(f"{word} of a list")
        return function(*operands, **keywords)

    return call
