"""Whether arrays are the same but for rounding, as the suite judges it (`conformance/compare.py`).

An element may be `factor` machine epsilons of its dtype away from what is expected of it, plus one
epsilon of the largest element beside it, which is what cancellation leaves.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gradspec.conformance.compare import EPSILON

FACTOR = 16.0
"""The epsilons that an operation may be off, as in the suite."""


def dtype_of(tensor: Any) -> str:
    """The name of a tensor's dtype."""
    return str(tensor.dtype).removeprefix("torch.")


def epsilon_of(dtype: Any) -> float:
    """The machine epsilon of a dtype, by whatever name; 0 for integers and bools, which are exact."""
    return EPSILON.get(str(dtype).removeprefix("torch."), 0.0)


def largest(array: Any) -> float:
    """The largest absolute value of an array's finite elements."""
    with np.errstate(invalid="ignore", over="ignore"):
        size = np.abs(np.asarray(array).astype(np.complex128))
    return float(size[np.isfinite(size)].max(initial=0.0))


def close(
    expected: Any, found: Any, epsilon: float, factor: float = FACTOR, scale: float = 0.0
) -> bool:
    """Whether two arrays have one shape, and elements that differ by rounding only.

    `scale` is the size of what the elements were computed from, where that is larger than they are.
    """
    expected, found = (np.asarray(one) for one in (expected, found))
    if expected.shape != found.shape:
        return False
    expected, found = (one.astype(np.result_type(one, np.float64)) for one in (expected, found))
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.abs(expected - found)
        same = (expected == found) | (np.isnan(expected) & np.isnan(found))
        size = np.abs(expected)
        finite = np.isfinite(size)
        near = apart <= epsilon * (factor * size + max(scale, largest(expected)))
    return bool(np.all(same | (finite & near)))
