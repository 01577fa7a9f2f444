"""The operations: one row each, grouped by what they do, and the public functions built from them.

`op` turns a row into a function, whose calls `forward` and `in_place` handle. Each group of
operations has a file, `registry` collects their public names, and `methods` binds them to the
tensor.
"""

from __future__ import annotations

from . import (
    binary,
    choose,
    clamp,
    combine,
    compare,
    complex_parts,
    copies,
    core,
    create,
    decompose,
    draw,
    einsum,
    fill,
    fourier,
    gather,
    index,
    integers,
    joins,
    linalg,
    order,
    pointwise,
    rearrange,
    reduce,
    scans,
    scatter,
    shape,
    solvers,
    special,
    statistics,
    ternary,
    windows,
)  # fmt: skip
from .core import cast_to, conj, sum_to
from .registry import FFT, FUNCTIONS, LINALG, METHODS, SPECIAL, give_out

__all__ = [
    "FFT",
    "FUNCTIONS",
    "LINALG",
    "METHODS",
    "SPECIAL",
    "binary",
    "cast_to",
    "choose",
    "clamp",
    "combine",
    "compare",
    "complex_parts",
    "conj",
    "copies",
    "core",
    "create",
    "decompose",
    "draw",
    "einsum",
    "fill",
    "fourier",
    "gather",
    "index",
    "integers",
    "joins",
    "linalg",
    "order",
    "pointwise",
    "rearrange",
    "reduce",
    "scans",
    "scatter",
    "shape",
    "solvers",
    "special",
    "statistics",
    "sum_to",
    "ternary",
    "windows",
]  # fmt: skip

give_out(LINALG, LINALG, "linalg_")
give_out(FFT, FFT, "fft_")
give_out(SPECIAL, SPECIAL, "special_")
give_out(
    FUNCTIONS,
    ("where", "complex", "polar", "hstack", "vstack", "dstack", "column_stack", "row_stack",
     "cholesky", "cholesky_solve", "qr", "svd", "bucketize", "searchsorted", "tensordot", "chain_matmul"),
)  # fmt: skip
for _name in ("nan_to_num_", "round_", "logit_", "ldexp_", "addmv_"):
    FUNCTIONS[_name] = METHODS[_name]
