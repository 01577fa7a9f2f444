"""Finds out whether an operation treats slices of its operands alone, from its formulas.

Some operands are repeated along one dimension each; if the result is then the result repeated along
one of its dimensions, and the gradients likewise, any number of slices gives the same for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from .bounded import TooMuch
from .formulas import evaluate, slope
from .operations import Form
from .samples import direction
from .worked import Worked

Array = Any
COPIES = (3, 2)
"""Several, so that nothing holds by the accident of an odd or even number."""

MOST_TRIED = 24
LARGEST = 256


class Slices(NamedTuple):
    """The dimension along which each operand that is sliced repeats, and that of the result."""

    operands: Mapping[str, int]
    out: int


def slices_of(worked: Worked) -> Slices | None:
    """How the operation at its samples can be repeated; None if it cannot."""
    return next(iter(_ways(worked)), None)


def all_slices_of(worked: Worked) -> tuple[Slices, ...]:
    """One way to repeat the operation along each dimension of its result that allows it."""
    return tuple({way.out: way for way in reversed(list(_ways(worked)))}.values())[::-1]


@lru_cache(maxsize=1)  # several laws ask for the same form, one after the other
def _ways(worked: Worked) -> Lazy:
    return Lazy(_found(worked))


class Lazy:
    """What an iterator gives, as far as someone asked for it."""

    def __init__(self, rest: Iterator[Slices]) -> None:
        self.known: list[Slices] = []
        self.rest = rest

    def __iter__(self) -> Iterator[Slices]:
        yield from self.known
        for each in self.rest:
            self.known.append(each)
            yield each


def _found(worked: Worked) -> Iterator[Slices]:
    if worked.out.ndim == 0 or worked.out.size > LARGEST:
        return
    for operands in _candidates(worked.form):
        try:
            first, *others = (_out_dim(worked, operands, copies) for copies in COPIES)
        except TooMuch:
            return
        except Exception:  # a formula that does not fit operands of other shapes
            continue
        if first is not None and all(other == first for other in others):
            yield Slices(operands, first)


def repeated(values: Array, dim: int, copies: int) -> Array:
    """An array several times, one after the other along a dimension."""
    return np.concatenate([values] * copies, axis=dim)


def _candidates(form: Form) -> Iterator[dict[str, int]]:
    """Dimensions to try: first operands' first, the same for all of them before different ones. What
    has no gradient, such as an index, is repeated only if the rest cannot be repeated without."""
    choices: dict[str, tuple[int | None, ...]] = {
        name: (*dims, None) if name in form.gradient or not form.gradient else (None, *dims)
        for name, operand in form.operands.items()
        for dims in [range(np.ndim(operand.values))]
    }
    for tried, dims in enumerate(product(*choices.values())):
        chosen = {name: dim for name, dim in zip(choices, dims, strict=True) if dim is not None}
        if tried >= MOST_TRIED:
            return
        if any(name in form.gradient for name in chosen) or (chosen and not form.gradient):
            yield chosen


def _out_dim(worked: Worked, operands: Mapping[str, int], copies: int) -> int | None:
    """The dimension of the result along which it repeats; None if it does not."""
    moved = {
        name: repeated(values, operands[name], copies) if name in operands else values
        for name, values in worked.inputs.items()
    }
    out = np.asarray(evaluate(worked.form.value, moved))
    if out.ndim != worked.out.ndim:
        return None
    for dim in range(out.ndim):
        expected = repeated(worked.out, dim, copies)
        if out.shape == expected.shape and _near(out, expected, 1e-12):
            g = repeated(worked.g, dim, copies)
            if _is_alone(worked, operands, dim) and all(
                _same_gradient(worked, moved, g, name, repeated(worked.gradients[name], at, copies))
                for name, at in operands.items()
                if name in worked.form.gradient
            ):
                return dim
    return None


def _is_alone(worked: Worked, operands: Mapping[str, int], dim: int) -> bool:
    """Whether the first copy's result stays the same when the second copy has other values."""
    moved = {
        name: np.concatenate([values, _changed(values)], axis=operands[name])
        if name in operands
        else values
        for name, values in worked.inputs.items()
    }
    out = np.asarray(evaluate(worked.form.value, moved))
    first = out.take(range(worked.out.shape[dim]), axis=dim)
    return first.shape == worked.out.shape and _near(first, worked.out, 1e-12)


def _changed(values: Array) -> Array:
    """Other values that are likely to be within the operation's domain."""
    return values * 0.875 if values.dtype.kind in "fc" else values


def _same_gradient(
    worked: Worked, moved: Mapping[str, Array], g: Array, name: str, expected: Array
) -> bool:
    """Whether the value formula has the expected gradient, along one direction."""
    if np.iscomplexobj(expected):
        return False
    way = direction(expected.shape, 7) / 4

    def scalar(step: float) -> Array:
        value = evaluate(worked.form.value, {**moved, name: moved[name] + step * way})
        return np.real(np.sum(np.conj(g) * value))

    return _near(np.asarray(slope(scalar)), np.asarray(np.sum(expected * way)), 1e-6)


def _near(a: Array, b: Array, tolerance: float) -> bool:
    return bool(np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True))
