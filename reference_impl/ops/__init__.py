"""The operations: one row each, grouped by what they do, and the public functions built from them."""

from __future__ import annotations

from . import core, create, index, linalg, pointwise, reduce, shape
from .core import cast_to, conj, sum_to
from .registry import FUNCTIONS, METHODS

__all__ = [
    "FUNCTIONS", "METHODS", "cast_to", "conj", "core", "create", "index", "linalg", "pointwise",
    "reduce", "shape", "sum_to",
]  # fmt: skip
