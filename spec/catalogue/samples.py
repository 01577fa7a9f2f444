"""Sample values for operands: the same on every machine, exact in every floating dtype.

Values are multiples of 1/64, so that float32, float64 and (within a range of 4) float16 hold them
exactly; they are all different within an operand, and keep their distance from the kinks of the
operation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .bounded import METER

GOLDEN = (math.sqrt(5) - 1) / 2
GRID = 64
MAX_SAMPLES = 256
FURTHEST = 1000
CLEARANCE = 0.125
"""How far from a kink values stay; wider than the reach of the finite differences."""


def sample(
    shape: Sequence[int], low: float, high: float, avoid: Sequence[float] = (), seed: int = 0
) -> Any:
    """An array of different values between `low` and `high`, none near a value of `avoid`.

    Raises `ValueError` if the interval has no room for that many, and `TooMuch` if a file's samples
    and formulas together exceed the budget.
    """
    count = math.prod(shape)
    if count > MAX_SAMPLES or not -FURTHEST <= low <= high <= FURTHEST:
        raise ValueError(
            f"an operand has at most {MAX_SAMPLES} values, between -{FURTHEST} and {FURTHEST}"
        )
    METER.charge((high - low) * GRID * 100 + count * 1000)
    grid = [
        k / GRID
        for k in range(math.ceil(low * GRID), math.floor(high * GRID) + 1)
        if all(abs(k / GRID - kink) >= CLEARANCE for kink in avoid)
    ]
    if len(grid) < count:
        raise ValueError(f"between {low} and {high} there is no room for {count} values")
    chosen: list[float] = []
    taken: set[int] = set()
    for i in range(count):
        wanted = int((((i + 1) * GOLDEN + seed * 0.2718) % 1.0) * len(grid))
        nearest = next(
            at
            for away in range(len(grid))
            for at in (wanted - away, wanted + away)
            if 0 <= at < len(grid) and at not in taken
        )
        taken.add(nearest)
        chosen.append(grid[nearest])
    return np.array(chosen, dtype=np.float64).reshape(tuple(shape))


def direction(shape: Sequence[int], seed: int) -> Any:
    """A cotangent or tangent: different multiples of 1/8 of both signs, none zero, none one."""
    count = math.prod(shape)
    start = 3 + 2 * seed
    values: list[float] = []
    k = start
    while len(values) < count:
        size = (k * 5) % 17 + 2 + 17 * (len(values) // 32)
        value = size / 8 if k % 3 else -size / 8
        if value not in values and abs(value) != 1.0:
            values.append(value)
        k += 1
        if k > start + 1000:
            raise ValueError(f"no room for {count} different values")
    return np.array(values, dtype=np.float64).reshape(tuple(shape))


def literal_of(array: Any) -> str:
    """An array as nested lists, in the words of the program language."""
    array = np.asarray(array)
    if array.dtype.kind in "biuf" and np.isfinite(array).all():
        return repr(array.tolist())
    return _literal(array.tolist())


def _literal(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, complex):
        return repr(value).strip("()")
    if isinstance(value, bool | int):
        return repr(value)
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(float(value))
