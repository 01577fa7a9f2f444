"""Finds out whether an operation treats slices of its operands alone, from its formulas.

Some operands are repeated along one dimension each; if the result is then the result repeated along
one of its dimensions, and the gradients likewise, any number of slices gives the same for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from .bounded import TooMuch
from .formulas import evaluate
from .operations import Form
from .worked import Worked

Array = Any
COPIES = 3
MOST_TRIED = 24
LARGEST = 256


class Slices(NamedTuple):
    """The dimension along which each operand that is sliced repeats, and that of the result."""

    operands: Mapping[str, int]
    out: int


def slices_of(worked: Worked) -> Slices | None:
    """How the operation at its samples can be repeated; None if it cannot."""
    if worked.out.ndim == 0 or worked.out.size > LARGEST:
        return None
    for operands in _candidates(worked.form):
        try:
            found = _out_dim(worked, operands)
        except TooMuch:
            return None
        except Exception:  # a formula that does not fit operands of other shapes
            continue
        if found is not None:
            return Slices(operands, found)
    return None


def repeated(values: Array, dim: int, copies: int) -> Array:
    """An array several times, one after the other along a dimension."""
    return np.concatenate([values] * copies, axis=dim)


def _candidates(form: Form) -> Iterator[dict[str, int]]:
    """Dimensions to try: first operands' first, the same for all of them before different ones."""
    choices = {
        name: (*range(np.ndim(operand.values)), None) for name, operand in form.operands.items()
    }
    for tried, dims in enumerate(product(*choices.values())):
        chosen = {name: dim for name, dim in zip(choices, dims, strict=True) if dim is not None}
        if tried >= MOST_TRIED:
            return
        if any(name in form.gradient for name in chosen) or (chosen and not form.gradient):
            yield chosen


def _out_dim(worked: Worked, operands: Mapping[str, int]) -> int | None:
    """The dimension of the result along which it repeats; None if it does not."""
    moved = {
        name: repeated(values, operands[name], COPIES) if name in operands else values
        for name, values in worked.inputs.items()
    }
    out = np.asarray(evaluate(worked.form.value, moved))
    if out.ndim != worked.out.ndim:
        return None
    for dim in range(out.ndim):
        expected = repeated(worked.out, dim, COPIES)
        if _same(out, expected) and _same_gradients(worked, operands, moved, dim):
            return dim
    return None


def _same_gradients(
    worked: Worked, operands: Mapping[str, int], moved: Mapping[str, Array], dim: int
) -> bool:
    if not all(worked.form.gradient.values()):
        return True  # the derivatives are those of the value formula
    found = worked.gradients_at(moved, repeated(worked.g, dim, COPIES))
    return all(
        _same(found[name], repeated(worked.gradients[name], operands[name], COPIES))
        for name in worked.form.gradient
        if name in operands
    )


def _same(a: Array, b: Array) -> bool:
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=1e-12, atol=1e-12, equal_nan=True))
