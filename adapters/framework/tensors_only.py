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

FIRST_TENSOR = frozenset({
    "where", "nonzero", "argwhere", "zeros_like", "ones_like", "full_like", "empty_like",
})  # fmt: skip
"""Functions of which the first operand is a tensor, and further ones may be numbers."""

LISTS = frozenset({
    "cat", "concat", "stack", "hstack", "vstack", "dstack", "column_stack", "block_diag",
    "broadcast_tensors",
})  # fmt: skip
"""Functions of several tensors, in a list or one by one: neither of one tensor, as if it were the list of its
rows, nor of numbers."""

REJECTING = TENSORS_ONLY | ONE_TENSOR | FIRST_TENSOR | LISTS


def rejecting_numbers(word: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that takes neither numbers nor lists where PyTorch's takes tensors."""
    if word in LISTS:
        return rejecting_rows(word, function)
    too_many = all if word in ONE_TENSOR else any

    def call(*given: Any, **keywords: Any) -> Any:
        operands = given[:1] if word in FIRST_TENSOR else given
        if operands and too_many(
            isinstance(operand, int | float | complex) for operand in operands
        ):
            raise Unsupported(f"{word} of a number")
        if any(isinstance(operand, list | tuple) for operand in operands):
            raise Unsupported(f"{word} of a list")
        return function(*given, **keywords)

    return call


def rejecting_rows(word: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of several tensors that takes no tensor for a list, and no numbers among them."""
    one_by_one = word in ("block_diag", "broadcast_tensors")

    def call(*given: Any, **keywords: Any) -> Any:
        if given and not one_by_one and hasattr(given[0], "shape"):
            raise Unsupported(f"{word} of one tensor")
        listed = given[0] if given and isinstance(given[0], tuple | list) else given
        if one_by_one and any(isinstance(each, int | float | complex) for each in listed):
            raise Unsupported(f"{word} of a number")
        return function(*given, **keywords)

    return call
