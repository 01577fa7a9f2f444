"""Operators such as `x += y` in a program, on an engine whose tensors lack them.

Python then computes `x + y` and binds the name to the result: nothing is changed in place, and nothing raises.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from itertools import pairwise
from types import CodeType

_METHODS = {
    "+=": "__iadd__",
    "-=": "__isub__",
    "*=": "__imul__",
    "/=": "__itruediv__",
    "//=": "__ifloordiv__",
    "%=": "__imod__",
    "**=": "__ipow__",
    "&=": "__iand__",
    "|=": "__ior__",
    "^=": "__ixor__",
}
_TO_ITEMS = ("STORE_SUBSCR", "SWAP", "ROT_THREE")
"""What follows the operator in `x[i] += y`, which assigns to the item of a tensor in any case."""


def missing_operator(code: CodeType, kind: type) -> str:
    """The first in-place operator that a program applies to a name and that tensors of this type lack; or
    the empty string. PyTorch's own tensors lack `@=`."""
    if all(hasattr(kind, method) for method in _METHODS.values()):
        return ""
    return next(
        (shown for shown in applied(code) if not hasattr(kind, _METHODS.get(shown, "__class__"))),
        "",
    )


def applied(code: CodeType) -> Iterator[str]:
    """The in-place operators that a program applies to names, those of its functions too."""
    for present, following in pairwise(dis.get_instructions(code)):
        if present.opname == "BINARY_OP" and present.argrepr.endswith("="):
            if following.opname not in _TO_ITEMS:
                yield present.argrepr
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from applied(constant)
