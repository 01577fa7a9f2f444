"""The operations: one row each, grouped by what they do, and the public functions built from
them."""

from __future__ import annotations

from . import (
    binary,
    choose,
    combine,
    compare,
    complex_parts,
    core,
    create,
    decompose,
    draw,
    fill,
    gather,
    index,
    joins,
    linalg,
    order,
    pointwise,
    rearrange,
    reduce,
    scans,
    shape,
    special,
    statistics,
    windows,
)  # fmt: skip
from .core import cast_to, conj, sum_to
from .registry import FUNCTIONS, LINALG, METHODS, SPECIAL

__all__ = [
    "FUNCTIONS", "LINALG", "METHODS", "SPECIAL", "binary", "cast_to", "choose", "combine",
    "compare", "complex_parts", "conj", "core", "create", "decompose", "draw", "fill", "gather", "index", "joins",
    "linalg", "order", "pointwise", "rearrange", "reduce", "scans", "shape", "special",
    "statistics", "sum_to", "windows",
]  # fmt: skip
