"""Where two engines differ on one program."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from gradspec.adapters.framework.engine import Observations
from gradspec.spec.values import Plain

from ..judging.compare import Malformed, Tolerance, difference
from .building import RAISED, lines_of, reported
from .drawing import LEAF, Drawn
from .statements import VIEWS

TOLERANCE = Tolerance(1e7)
"""How many epsilons of float64 results may differ: programs pile up rounding."""
ROUNDING = 1e-12
"""What may be left where terms cancel, whose size is about one."""
NO_ERROR = "no error"
BOTH_APPLY = {"view-in-place", "overlapping-memory"}
"""Reasons to refuse a write to a gradient that is expanded, of which an engine gives either."""
KNOWN = "ZeroTensors are immutable"
"""An error of PyTorch that is a known failure: where a derivative of second order is zero, it puts a
placeholder into `.grad`, which later passes cannot add to."""
PARTS = ("value", "requires_grad", "is_leaf", "grad")


@dataclass(frozen=True)
class Divergence:
    """The first statement after which two engines differ, and how.

    `part` is what differs: the value of a variable, one of its attributes, what hooks saw, or whether a
    statement raises.
    """

    statement: int
    part: str
    variable: str
    message: str
    expected: Plain = None
    observed: Plain = None
    kind: str = ""
    """The kind of error that is expected."""
    raised: Mapping[int, str] = field(default_factory=dict)
    """The kinds of errors of earlier statements, which are expected."""
    state: tuple[tuple[str, str, Plain], ...] = ()
    """What is expected after the statement: variable, attribute, value."""


def divergence(
    drawn: Drawn, expected: Observations, observed: Observations, exact_kinds: bool, flags: bool
) -> Divergence | None:
    """Where `observed` differs from `expected`; None if nowhere, or if an engine lacks something."""
    if "unsupported" in (expected.end.how, observed.end.how):
        return None
    found = _first(drawn, expected, observed, exact_kinds)
    if found is None:
        if expected.end.how == observed.end.how == "finished":
            return None
        found = _ended_differently(lines_of(drawn, flags), expected, observed, exact_kinds)
    if found is None or _is_left_open(drawn, expected, observed, found):
        return None
    raised = {
        index - RAISED: str(plain["ended"].get("kind", ""))
        for index, plain in expected.observed
        if RAISED <= index < found.statement + RAISED and _how(plain) != "normally"
    }
    state = next((plain for index, plain in expected.observed if index == found.statement), None)
    return replace(found, raised=raised, state=tuple(_parts(drawn, found.statement, state)))


def _is_left_open(
    drawn: Drawn, expected: Observations, observed: Observations, found: Divergence
) -> bool:
    """Whether PyTorch leaves open which of two engines is right, or is known to be wrong itself."""
    text = drawn.statements[found.statement].text
    return (
        any(KNOWN in _message(plain) for _, plain in expected.observed)
        or (found.kind == "view-in-place" and _changes_gradient(drawn, found.statement))
        # PyTorch lets elements that share memory be set to zero, but not the gradient.
        or (
            found.kind == "overlapping-memory"
            and any(".zero_()" in each.text for each in drawn.statements)
        )
        # An operand that overlaps the target may be read before or after it is written.
        or (found.part == "value" and _reads_its_target(drawn, found.statement))
        # The result of operands in several layouts may have any of them, and so may have no such view.
        or (found.part == "error" and ".view(" in text)
        or _writes_through_reshape(drawn, found.statement)
        or any(_shares_gradient(drawn, each, found) for each in (expected, observed))
        or _follows_a_failed_pass(drawn, expected, observed, found)
    )


def _changes_gradient(drawn: Drawn, index: int) -> bool:
    """Whether a statement changes a gradient in place, or a view of one. PyTorch refuses some of these
    changes, as the gradient may itself be a view that the pass made; nothing says which gradients are."""
    made = {each.name: each.text for each in drawn.statements[:index] if each.name}
    text = drawn.statements[index].text
    while target := re.match(r"\w+", text):
        if ".grad" in text:
            return True
        text = made.get(target.group(), "")
    return False


def _reads_its_target(drawn: Drawn, index: int) -> bool:
    """Whether a statement changes a tensor in place by another view of the same memory. PyTorch refuses
    that only where it is sure of the overlap."""
    write = re.match(r"(\w+)\.\w+_\((\w+)\b", drawn.statements[index].text)
    if not write or write[1] == write[2]:
        return False
    return _sources(drawn, index, write[1])[-1] == _sources(drawn, index, write[2])[-1]


def _writes_through_reshape(drawn: Drawn, index: int) -> bool:
    """Whether a statement up to this one writes to a result that `reshape` was called on, or to what it
    made of it: that is a view or a copy, depending on the layout of the result, which PyTorch leaves open."""
    leaves = {each.name for each in drawn.statements if each.template == LEAF}
    reshaped: set[str] = set()
    for at, each in enumerate(drawn.statements[: index + 1]):
        if ".reshape(" in each.text and each.name:
            reshaped.add(_sources(drawn, at + 1, each.name)[-1])
        write = re.match(r"(\w+)(\[.*\])?(\.detach\(\))?(\.\w+_\(| [+*]?= )", each.text)
        if write and _sources(drawn, at, write[1])[-1] in reshaped - leaves:
            return True
    return False


def _shares_gradient(drawn: Drawn, observations: Observations, found: Divergence) -> bool:
    """Whether the gradient that differs has the elements of another one, which shares memory with it: PyTorch
    gives several leaves the same memory where their gradient passes through a view, so that what is added to
    one changes the others (issue 34082)."""
    viewed = any(each.template in VIEWS for each in drawn.statements[: found.statement])
    if found.part != "grad" or not viewed:
        return False
    plain = next((each for index, each in observations.observed if index == found.statement), None)
    grads = {
        name: sorted(map(repr, value["tensor"]["values"]))
        for name, part, value in _parts(drawn, found.statement, plain)
        if part == "grad" and isinstance(value, dict) and "tensor" in value
    }
    own = grads.pop(found.variable, None)
    return own is not None and own in grads.values()


def _follows_a_failed_pass(
    drawn: Drawn, expected: Observations, observed: Observations, found: Divergence
) -> bool:
    """Whether an engine refuses a pass because an earlier one, which failed half way, had freed a node. PyTorch
    leaves open how far a pass gets before it fails."""
    failed = any(
        RAISED <= index < found.statement + RAISED
        and _how(plain) != "normally"
        and re.search(r"backward\(|grad\(", drawn.statements[index - RAISED].text)
        for index, plain in expected.observed
    )
    refusals = {
        plain["ended"].get("kind")
        for observations in (expected, observed)
        for index, plain in observations.observed
        if index == found.statement + RAISED and isinstance(plain, dict)
    }
    return failed and "graph-freed" in refusals | {expected.end.kind, observed.end.kind}


def _sources(drawn: Drawn, index: int, name: str) -> list[str]:
    """A variable, what it is a view of, and so on down to a tensor that is no view."""
    views = {
        each.name: each.text
        for each in drawn.statements[:index]
        if each.template in VIEWS or each.text.endswith(".detach()")
    }
    names = [name]
    while names[-1] in views and (source := re.match(r"(?:transpose\()?(\w+)", views[names[-1]])):
        names.append(source[1])
    return names


def _first(
    drawn: Drawn, expected: Observations, observed: Observations, exact_kinds: bool
) -> Divergence | None:
    for (index, right), (other, found) in zip(expected.observed, observed.observed, strict=False):
        if index != other:
            break
        if right == found:
            continue
        if index >= RAISED:
            differing = _ended(index - RAISED, right, found, exact_kinds)
        else:
            differing = _differing(drawn, index, right, found)
        if differing:
            return differing
    return None


def _how(plain: Plain) -> str:
    return str(plain["ended"]["how"]) if isinstance(plain, dict) else ""


def _message(plain: Plain) -> str:
    """The message of the error that a statement raised, if it did."""
    ended = plain.get("ended") if isinstance(plain, dict) else None
    return str(ended.get("message", "")) if isinstance(ended, dict) else ""


def _ended(index: int, right: Plain, found: Plain, exact_kinds: bool) -> Divergence | None:
    """How two reports of a statement's end differ."""
    assert isinstance(right, dict)
    one, other = right["ended"], found["ended"] if isinstance(found, dict) else {"how": "?"}
    if one["how"] == other["how"] and _same_kind(one.get("kind"), other.get("kind"), exact_kinds):
        return None
    return _error(index, one, other)


def _same_kind(one: str | None, other: str | None, exact_kinds: bool) -> bool:
    return one == other or not exact_kinds or {one, other} == BOTH_APPLY


def _end_shown(ended: Mapping[str, str], told: bool) -> str:
    """How a statement ended: with an error's kind, or as `told` with its type and message."""
    if ended["how"] in ("normally", "finished"):
        return NO_ERROR
    if told:
        return f"{ended.get('type') or ended['how']}: {ended.get('message', '')[:120]}"
    return f"an error ({ended.get('kind', '')})"


def _error(index: int, one: Mapping[str, str], other: Mapping[str, str]) -> Divergence:
    expected, found = _end_shown(one, False), _end_shown(other, True)
    message = f"expected {expected}, found {found}"
    return Divergence(index, "error", "", message, expected, found, str(one.get("kind", "")))


def _differing(drawn: Drawn, index: int, right: Plain, found: Plain) -> Divergence | None:
    last = len(drawn.statements) - 1
    if index > last:
        message = _told(right, found)
        return Divergence(last, "trace", "", message, right, found) if message else None
    if not _told(right, found):
        return None
    parts, others = (list(_parts(drawn, index, each)) for each in (right, found))
    for (name, part, wanted), (_, _, seen) in zip(parts, others, strict=False):
        message = _told(wanted, seen)
        if message:
            return Divergence(index, part, name, message, wanted, seen)
    if parts and len(parts) == len(others):
        return None  # each is right up to its own rounding
    return Divergence(index, "value", "", _told(right, found), right, found)


def _parts(drawn: Drawn, index: int, plain: Plain) -> Iterator[tuple[str, str, Plain]]:
    """What was reported after a statement: variable, attribute, value."""
    for name, item in zip(reported(drawn, index), _items(plain), strict=False):
        for part, value in zip(PARTS, _items(item) or [item], strict=False):
            yield name, part, value


def _told(right: Plain, found: Plain) -> str:
    if right == found or _negligible(right, found):
        return ""
    try:
        return difference(right, found, TOLERANCE)
    except Malformed as error:
        return str(error)


def _negligible(right: Plain, found: Plain) -> bool:
    """Whether two values are equal, but for what rounding leaves where terms of the size of one cancel."""
    if not (
        isinstance(right, dict)
        and isinstance(found, dict)
        and right.keys() == found.keys()
        and len(right) == 1
    ):
        return bool(right == found)
    (kind,) = right
    one, other = right[kind], found[kind]
    if kind in ("tuple", "list"):
        return len(one) == len(other) and all(map(_negligible, one, other))
    if kind != "tensor" or (one["shape"], one["dtype"]) != (other["shape"], other["dtype"]):
        return bool(right == found)
    return all(map(_alike, one["values"], other["values"]))


def _alike(a: object, b: object) -> bool:
    """Whether two numbers are equal but for rounding. Where numbers overflow, it depends on the order of
    the computation whether infinity or NaN remains."""
    if isinstance(a, dict) and isinstance(b, dict):  # numbers that are not finite are written so
        return a == b or a.keys() == b.keys() == {"number"}
    return a == b or (type(a) is type(b) is float and abs(a - b) <= ROUNDING)


def _items(plain: Plain) -> list[Plain]:
    return plain["tuple"] if isinstance(plain, dict) and "tuple" in plain else []


def _ended_differently(
    lines: Mapping[int, int], expected: Observations, observed: Observations, exact_kinds: bool
) -> Divergence | None:
    one, other = expected.end, observed.end
    if one.how == other.how == "error":
        if one.line == other.line and _same_kind(one.kind, other.kind, exact_kinds):
            return None
    last = max(lines.values())
    where = min(lines.get(one.line, last), lines.get(other.line, last))
    return _error(where, vars(one), vars(other))
