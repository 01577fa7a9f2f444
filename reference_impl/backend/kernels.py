"""Numeric kernels that array namespaces lack, for arrays of any floating dtype."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .base import astype
from .dtypes import BFLOAT16

__all__ = [
    "arccos", "arcsin", "arctan", "cosh", "exp", "exp2", "expm1", "in_single", "log", "log1p",
    "log2", "log10", "power", "rounded_once", "sigmoid", "sinh", "softplus", "tan", "tanh",
]  # fmt: skip

HALF, SINGLE = np.dtype("float16"), np.dtype("float32")

Array = Any


def in_single(kernel: Callable[..., Array], float16: bool = True) -> Callable[..., Array]:
    """A kernel, or a rule, of several steps that computes arrays of half precision (bfloat16, and
    ``float16`` unless told otherwise) in single, and rounds once. Tensors, of which a recorded
    rule is made, it leaves to their own operations."""

    @functools.wraps(kernel)
    def run(x: Array, *rest: Any) -> Array:
        dtype = x.dtype
        if dtype is BFLOAT16 or (float16 and dtype is HALF):
            wide = [astype(a, SINGLE) if getattr(a, "dtype", None) is dtype else a for a in rest]
            out = kernel(astype(x, SINGLE), *wide)
            return out if out is None else astype(out, dtype)
        return kernel(x, *rest)

    return run


FEW = 256
"""Up to so many numbers, what is computed once more precisely costs little."""


def rounded_once(ufunc: Any) -> Callable[..., Array]:
    """A function of NumPy that computes few numbers of single precision in double and rounds once,
    where NumPy's own code for single precision is off by as much as two units in the last place.
    """

    @functools.wraps(ufunc)
    def run(x: Array, *rest: Any) -> Array:
        if x.dtype is SINGLE and x.size <= FEW:
            return ufunc(x, *rest, dtype=np.float64).astype(SINGLE)
        return ufunc(x, *rest)

    return run


exp = rounded_once(np.exp)
exp2 = rounded_once(np.exp2)
expm1 = rounded_once(np.expm1)
log = rounded_once(np.log)
log10 = rounded_once(np.log10)
log1p = rounded_once(np.log1p)
log2 = rounded_once(np.log2)
power = rounded_once(np.power)
tanh = rounded_once(np.tanh)
sinh, cosh, tan = rounded_once(np.sinh), rounded_once(np.cosh), rounded_once(np.tan)
arcsin, arccos, arctan = rounded_once(np.arcsin), rounded_once(np.arccos), rounded_once(np.arctan)


@in_single
def sigmoid(x: Array) -> Array:
    """1 / (1 + exp(-x)); where exp overflows this is 0, as it should be."""
    return 1 / (1 + exp(-x))


def softplus(x: Array) -> Array:
    """log(1 + exp(x)), without overflow; a third of the time of NumPy's logaddexp."""
    return log1p(exp(-np.abs(x))) + np.maximum(x, 0)
