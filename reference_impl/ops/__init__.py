"""The operations: one row each, grouped by what they do, and the public functions built from
them."""

from __future__ import annotations

from . import combine, core, create, decompose, index, linalg, pointwise, reduce, shape, statistics
from .core import cast_to, conj, sum_to
from .registry import FUNCTIONS, METHODS

__all__ = [
    "FUNCTIONS", "METHODS", "cast_to", "combine", "conj", "core", "create", "decompose", "index",
    "linalg", "pointwise", "reduce", "shape", "statistics", "sum_to",
]  # fmt: skip
