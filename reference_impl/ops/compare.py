"""Predicates, comparisons and logic: elementwise, without derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from .choose import E
from .core import zeros_of
from .op import op
from .registry import by_kind, expose, expose_in_place

isfinite = op("isfinite(x)", np.isfinite, E)
isnan = op("isnan(x)", np.isnan, E)
isinf = op("isinf(x)", np.isinf, E)
logical_not = op("logical_not(x)", lambda x: np.equal(x, 0), E)  # of complex numbers on a GPU too
bitwise_not = op("bitwise_not(x)", np.invert, E)
eq = op("eq(x, y)", np.equal, E)
ne = op("ne(x, y)", np.not_equal, E)


def ordered(kernel: Any) -> Any:
    """A comparison that refuses complex operands."""

    def run(x: Any, y: Any) -> Any:
        if x.dtype.kind == "c":
            raise errors.wrong_dtype(
                f"{kernel.__name__}(): complex numbers have no order; compare their absolute values",
                NotImplementedError,
            )
        return kernel(x, y)

    return run


lt = op("lt(x, y)", ordered(np.less), E)
le = op("le(x, y)", ordered(np.less_equal), E)
gt = op("gt(x, y)", ordered(np.greater), E)
ge = op("ge(x, y)", ordered(np.greater_equal), E)
logical_and = op("logical_and(x, y)", np.logical_and, E)
logical_or = op("logical_or(x, y)", np.logical_or, E)
logical_xor = op("logical_xor(x, y)", np.logical_xor, E)
bitwise_and = op("bitwise_and(x, y)", np.bitwise_and, E)
bitwise_or = op("bitwise_or(x, y)", np.bitwise_or, E)
bitwise_xor = op("bitwise_xor(x, y)", np.bitwise_xor, E)
expose(
    (logical_and, "Whether both elements are nonzero, as bool; broadcast."),
    (logical_or, "Whether either element is nonzero, as bool; broadcast."),
    (logical_xor, "Whether exactly one of the elements is nonzero, as bool; broadcast."),
    numbers=False,
)
expose(
    (logical_not, "Whether the element is zero, as bool."),
    (
        bitwise_not,
        "Every bit inverted; of bools, the negation. Raises for floating and complex dtypes.",
    ),
    (bitwise_and, "Bitwise and of integers or bools, broadcast. Raises for floating dtypes."),
    (bitwise_or, "Bitwise or of integers or bools, broadcast. Raises for floating dtypes."),
    (
        bitwise_xor,
        "Bitwise exclusive or of integers or bools, broadcast. Raises for floating dtypes.",
    ),
)
expose(
    (eq, "Whether input == other, elementwise, as bool; broadcast."),
    (ne, "Whether input != other, elementwise, as bool; broadcast."),
    (lt, "Whether input < other, elementwise, as bool; broadcast. Raises for complex dtypes."),
    (le, "Whether input <= other, elementwise, as bool; broadcast. Raises for complex dtypes."),
    (gt, "Whether input > other, elementwise, as bool; broadcast. Raises for complex dtypes."),
    (ge, "Whether input >= other, elementwise, as bool; broadcast. Raises for complex dtypes."),
    inplace=False,
    greater=gt,
    less=lt,
    greater_equal=ge,
    less_equal=le,
    not_equal=ne,
)
expose(
    (isfinite, "Whether each element is neither infinite nor NaN, as bool."),
    (isnan, "Whether each element is NaN, as bool."),
    (isinf, "Whether each element is infinite, as bool."),
    inplace=False,
)


def written(name: str, kernel: Any, *aliases: str) -> None:
    """A comparison in place, which writes ones and zeros in the dtype of the tensor: constants, whose
    gradient is zero."""
    camel = name.capitalize()
    number, tensor = (
        op(
            f"{name}(x, y)",
            kernel,
            E,
            node=f"{camel}Backward{form}",
            x=lambda g: zeros_of(g),
            y=lambda g: zeros_of(g),
        )
        for form in (0, 1)
    )
    twin = by_kind(number, tensor).inplace
    for public_name in (f"{name}_", *aliases):
        expose_in_place(
            public_name,
            twin,
            2,
            f"1 where the comparison {name} holds, else 0, in the tensor's own dtype.",
        )


written("eq", np.equal)
written("ne", np.not_equal, "not_equal_")
written("lt", ordered(np.less), "less_")
written("le", ordered(np.less_equal), "less_equal_")
written("gt", ordered(np.greater), "greater_")
written("ge", ordered(np.greater_equal), "greater_equal_")
