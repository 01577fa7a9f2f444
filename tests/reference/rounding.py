"""Whether arrays are the same but for rounding, as the suite judges it (`conformance/judging/compare.py`).

An element may be `factor` machine epsilons of its dtype away from what is expected of it, plus one
epsilon of the largest element beside it, which is what cancellation leaves.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
from gradspec.conformance.judging.compare import EPSILON

FACTOR = 16.0
"""The epsilons that an operation may be off, as in the suite."""
SECOND_ORDER = 64.0
"""As many for a second derivative, which is rounded in two passes, as in the suite."""


class Coarse(NamedTuple):
    """Expressions that one of two engines computes less precisely than to the last digits."""

    pattern: str
    least: float
    """The epsilon to which they are good at best, whatever the dtype."""
    times: float
    """By how much their epsilon is that of the dtype."""
    reason: str


COARSE = [
    Coarse(r"x\.float\(\)", 2.0**-23, 1, "computed in single precision"),
    Coarse("gelu", 0, 4, "1 + erf(x) of negative numbers cancels"),
    Coarse("matrix_exp", 2.0**-39, 1, "PyTorch's derivatives are good to eleven digits"),
    Coarse("gamma|psi", 2.0**-34, 1, "PyTorch's series of trigamma ends at ten digits"),
    Coarse(
        r"pinv\(a@a",
        0,
        16,
        "its condition number is squared, and its eigenvectors are another library's",
    ),
    Coarse("hardsigmoid", 2.0**-29, 1, "PyTorch has 1 / 6 in single precision"),
    Coarse("cross_entropy", 2.0**-42, 1, "PyTorch keeps divisors 1e-12 away from zero"),
]


def precision(expression: str, epsilon: float) -> float:
    """The epsilon to which an expression is computed in a dtype of this epsilon."""
    for coarse in COARSE:
        if re.search(coarse.pattern, expression):
            return max(epsilon * coarse.times, coarse.least)
    return epsilon


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
    if np.array_equal(expected, found):
        return True
    expected, found = (one.astype(np.result_type(one, np.float64)) for one in (expected, found))
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.abs(expected - found)
        same = (expected == found) | (np.isnan(expected) & np.isnan(found))
        size = np.abs(expected)
        finite = np.isfinite(size)
        near = apart <= epsilon * (factor * size + max(scale, largest(expected)))
    return bool(np.all(same | (finite & near)))


def close_to_second_order(expected: Any, found: Any, epsilon: float) -> bool:
    """Whether two second derivatives differ by rounding only: they are sums of terms that may be
    as large as the largest of them, and as the operands, which are of about one."""
    scale = SECOND_ORDER * max(1.0, largest(expected))
    return close(expected, found, epsilon, SECOND_ORDER, scale)
