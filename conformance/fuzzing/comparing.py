"""Where two engines differ on one program."""

from __future__ import annotations

from dataclasses import dataclass

from gradspec.adapters.framework.engine import Observations
from gradspec.spec.values import Plain

from ..judging.compare import Malformed, difference
from .building import lines_of
from .drawing import Drawn

FACTOR = 1e7
"""How many epsilons of float64 results may differ: programs pile up rounding."""
PARTS = ("value", "requires_grad", "is_leaf", "grad")


@dataclass(frozen=True)
class Divergence:
    """The first statement after which two engines differ, and how.

    `part` is what differs: the value of a variable, one of its attributes, what hooks saw, or how
    the program ended.
    """

    statement: int
    part: str
    variable: str
    message: str
    expected: Plain = None
    observed: Plain = None
    kind: str = ""
    """The kind of error that is expected."""


def divergence(
    drawn: Drawn, expected: Observations, observed: Observations, exact_kinds: bool
) -> Divergence | None:
    """Where `observed` differs from `expected`; None if nowhere, or if an engine lacks something."""
    if "unsupported" in (expected.end.how, observed.end.how):
        return None
    for (index, right), (other, found) in zip(expected.observed, observed.observed, strict=False):
        if index != other:
            break
        differing = _differing(drawn, index, right, found)
        if differing:
            return differing
    return _ended_differently(drawn, expected, observed, exact_kinds)


def _differing(drawn: Drawn, index: int, right: Plain, found: Plain) -> Divergence | None:
    last = len(drawn.statements) - 1
    if index > last:
        message = _told(right, found)
        return Divergence(last, "trace", "", message, right, found) if message else None
    if not _told(right, found):
        return None
    names = [statement.name for statement in drawn.statements[: index + 1] if statement.name]
    for name, one, other in zip(names, _items(right), _items(found), strict=False):
        inner = list(zip(_items(one), _items(other), strict=False)) or [(one, other)]
        for part, (wanted, seen) in zip(PARTS, inner, strict=False):
            message = _told(wanted, seen)
            if message:
                return Divergence(index, part, name, message, wanted, seen)
    return Divergence(index, "value", "", _told(right, found), right, found)


def _told(right: Plain, found: Plain) -> str:
    try:
        return difference(right, found, FACTOR)
    except Malformed as error:
        return str(error)


def _items(plain: Plain) -> list[Plain]:
    return plain["tuple"] if isinstance(plain, dict) and "tuple" in plain else []


def _ended_differently(
    drawn: Drawn, expected: Observations, observed: Observations, exact_kinds: bool
) -> Divergence | None:
    one, other = expected.end, observed.end
    lines = lines_of(drawn)
    last = len(drawn.statements) - 1
    if one.how == other.how == "finished":
        return None
    where = min(lines.get(one.line, last), lines.get(other.line, last))
    if one.how == other.how == "error":
        if one.line == other.line and (one.kind == other.kind or not exact_kinds):
            return None
    shown_one, shown_other = _shown(one.how, one.message), _shown(other.how, other.message)
    return Divergence(
        where, "error", "", f"expected {shown_one}, found {shown_other}", shown_one, shown_other,
        one.kind,
    )  # fmt: skip


def _shown(how: str, message: str) -> str:
    return "no error" if how == "finished" else f"{how}: {message[:200]}"
