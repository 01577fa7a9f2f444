"""Compares what an engine reported with what a case expects. Independent of all engines."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from gradspec.adapters.framework.classify import REFUSED
from gradspec.adapters.framework.engine import MISSING_GRADIENT, UNTRACKED, End, Observations
from gradspec.adapters.framework.narrow import WIDEST
from gradspec.spec.model import Case
from gradspec.spec.program.precision import DOUBLE
from gradspec.spec.program.program import Expectation
from gradspec.spec.program.regex_cost import TEXT as SEARCHED
from gradspec.spec.program.vocabulary import Kind
from gradspec.spec.values import Plain, number_of, show

from ..text import printable
from .compare import Malformed, Tolerance, checked_tensor, difference
from .verdict import Verdict

Finding = tuple[str, str]  # how it failed, and the message
WIDE = DOUBLE | {"DoubleTensor", "float", "type", "promote_types"}
"""Words and methods that make a tensor of float64 or complex128, or may."""

# What reading a malformed value may raise.
_GARBAGE = (
    Malformed, TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError,
)  # fmt: skip


def judge(
    case: Case,
    observations: Observations,
    kinds: Mapping[str, Kind],
    exact_kinds: bool = True,
    widest_float: str = WIDEST,
) -> Verdict:
    """The verdict on one run of a case.

    `exact_kinds` says whether the engine's adapter can classify every error; if not, an error of
    unknown kind is accepted, and so is one whose message matches the expected kind. `widest_float`
    is the dtype in which programs ran that name float64.
    """
    verdict = Verdict(
        case.id, "pass", seconds=observations.seconds, must=case.behavior.scored_as_must
    )
    end = observations.end
    if end.how == "unsupported":
        verdict.verdict, verdict.message = "unsupported", end.message
        verdict.kind = end.kind if end.kind == MISSING_GRADIENT else ""
        return verdict
    if end.how in ("crash", "timeout"):
        verdict.verdict = "crash" if end.how == "crash" else "timeout"
        verdict.kind, verdict.message, verdict.line = end.kind, end.message, end.line
        return verdict
    reached: dict[int, list[Plain]] = defaultdict(list)
    program = case.program
    tolerance = Tolerance(
        case.tolerance_factor,
        program.double and widest_float == WIDEST,
        WIDE.isdisjoint(program.words) and WIDE.isdisjoint(program.members),
    )
    asked = range(len(case.expectations))
    for index, value in observations.observed:
        if index not in asked:
            verdict.verdict, verdict.kind, verdict.observed = "fail", "malformed", value
            verdict.message = (
                f"the engine reported observation {index!r}, but the case has no such observation"
            )
            return verdict
        reached[index].append(value)
    for expectation in case.expectations:
        for value in reached.get(expectation.index, ()):
            try:
                finding = _compare(expectation, value, tolerance, kinds, exact_kinds)
            except _GARBAGE as error:
                what = (
                    f"{type(error).__name__}: {error}"
                    if not isinstance(error, Malformed)
                    else error
                )
                finding = ("malformed", f"the engine returned a malformed value: {what}")
            if finding:
                if finding[0] == "wrong-value" and end.message == UNTRACKED:
                    finding = finding[0], f"{finding[1]}; {UNTRACKED}"
                return _fail(verdict, expectation, value, finding)
    if end.how == "error":
        return _unexpected(verdict, case, end, bool(observations.observed))
    for expectation in case.expectations:
        if expectation.index not in reached and not _excused(expectation, case, reached):
            return _fail(
                verdict,
                expectation,
                None,
                ("not-reached", f"`{expectation.source}` was never reached"),
            )
    return verdict


def _fail(verdict: Verdict, expectation: Expectation, value: Plain, finding: Finding) -> Verdict:
    verdict.verdict = "fail"
    verdict.kind, verdict.message = finding[0], printable(finding[1])
    verdict.expected, verdict.observed = _expected(expectation), value
    verdict.line = expectation.line
    return verdict


def _unexpected(verdict: Verdict, case: Case, end: End, got_somewhere: bool) -> Verdict:
    verdict.verdict, verdict.kind, verdict.line = "fail", "unexpected-error", end.line
    verdict.where = end.where
    first = min((expectation.line for expectation in case.expectations), default=0)
    verdict.setup = not got_somewhere and end.line < first
    verdict.expected = "no error"
    verdict.observed = {
        "ended": {"how": "refused", "kind": end.kind, "type": end.type, "message": end.message}
    }
    before = "before the first assertion, " if verdict.setup else ""
    at = f" (at {end.where})" if end.where else ""
    verdict.message = printable(f"{before}the engine raised {end.type}: {end.message}{at}")
    return verdict


def _expected(expectation: Expectation) -> Plain:
    """What was expected, for the report."""
    if expectation.relation in ("equal", "is") and not expectation.pair:
        return expectation.expected
    return expectation.source.removeprefix("assert ")


def _compare(
    expectation: Expectation,
    value: Plain,
    tolerance: Tolerance,
    kinds: Mapping[str, Kind],
    exact_kinds: bool,
) -> Finding | None:
    relation = expectation.relation
    if relation in ("refused", "may be refused"):
        return _refusal(expectation, value, kinds, exact_kinds)
    if relation in ("warned", "quiet"):
        return _warnings(expectation, value)
    expected = expectation.expected
    if expectation.pair:
        value, expected = value["pair"]
    if relation in ("is", "is not"):
        return _state(relation == "is", expected, value, expectation.source)
    if relation == "equal":
        why = difference(expected, value, tolerance)
        return ("wrong-value", why) if why else None
    if relation == "different":
        same = not difference(expected, value, tolerance)
        return (
            ("wrong-value", f"expected anything but {show(expected)}, found it") if same else None
        )
    if relation in ("contains", "lacks"):
        return _contained(relation, expected, value, tolerance)
    return _ordered(relation, expected, value)


def _state(positive: bool, expected: Plain, value: Plain, source: str) -> Finding | None:
    same = type(value) is type(expected) and value == expected
    if same is positive:
        return None
    if positive and isinstance(value, bool):
        return "wrong-state", f"`{source.removeprefix('assert ')}` does not hold"
    wanted = show(expected) if positive else f"anything but {show(expected)}"
    return "wrong-state", f"expected {wanted}, found {show(value)}"


def _contained(
    relation: str, expected: Plain, value: Plain, tolerance: Tolerance
) -> Finding | None:
    if isinstance(value, str):
        present = isinstance(expected, str) and expected in value
    else:
        items = _items(value)
        if items is None:
            return "wrong-value", f"expected text or a list, found {show(value)}"
        present = any(not difference(expected, item, tolerance) for item in items)
    if present is (relation == "contains"):
        return None
    wanted = "contain" if relation == "contains" else "lack"
    return "wrong-value", f"expected it to {wanted} {show(expected)}, found {show(value)}"


def _items(value: Plain) -> list[Plain] | None:
    """The items of a container, as `in` sees them; None if the value is not a container."""
    if isinstance(value, dict):
        if "dict" in value:
            return [key for key, _ in value["dict"]]
        for sort in ("list", "tuple"):
            if isinstance(value.get(sort), list):
                return list(value[sort])
    return None


def _ordered(relation: str, expected: Plain, value: Plain) -> Finding | None:
    left, right = _real(value), _real(expected)
    if left is None or right is None:
        return (
            "wrong-value",
            f"expected numbers to compare, found {show(value)} and {show(expected)}",
        )
    holds = {
        "less": left < right, "at most": left <= right, "greater": left > right, "at least": left >= right,
    }[relation]  # fmt: skip
    return (
        None
        if holds
        else ("wrong-value", f"expected {relation} {show(expected)}, found {show(value)}")
    )


def _real(value: Plain) -> float | None:
    if isinstance(value, dict) and "tensor" in value:
        content = checked_tensor(value["tensor"])
        if not content["shape"]:
            value = content["values"][0]
    number = number_of(value)
    return None if number is None or isinstance(number, complex) else float(number)


def _excused(expectation: Expectation, case: Case, reached: Mapping[int, list[Any]]) -> bool:
    """Whether an expectation is inside a `may_raise` block that raised, directly or nested."""
    while expectation.within >= 0:
        ends = reached.get(expectation.within, [])
        if any(end["ended"]["how"] != "normally" for end in ends):
            return True
        expectation = case.expectations[expectation.within]
    return False


def _refusal(
    expectation: Expectation, value: Any, kinds: Mapping[str, Kind], exact_kinds: bool
) -> Finding | None:
    expected, end = expectation.expected, value["ended"]
    wanted = " or ".join(expected)
    if end["how"] == "normally":
        if expectation.relation == "may be refused":
            return None
        meaning = kinds[expected[0]].meaning.rstrip(".") if expected[0] in kinds else ""
        return (
            "did-not-raise",
            f"expected an error ({wanted}: {meaning}), but nothing was raised",
        )
    kind = end.get("kind", REFUSED)
    if kind in expected:
        return None
    if not exact_kinds and (
        kind == REFUSED or any(_says(kinds.get(name), end) for name in expected)
    ):
        return None
    shown = f"{end.get('type', 'an error')}: {end.get('message', '')}"
    why = "one whose message gives no reason" if kind == REFUSED else f"{kind}"
    if kind not in kinds and kind not in (REFUSED, "broken"):
        why += ", a kind that `gradspec list kinds` does not have"
    return "wrong-error", f"expected an error of kind {wanted}, found {why} ({shown})"


def _says(kind: Kind | None, end: Mapping[str, Any]) -> bool:
    """Whether an exception's message matches the kind's general patterns, or its type if there are none.
    Engines differ in the types that they raise: one has a ValueError for an axis out of range."""
    if kind is None:
        return False
    if not kind.patterns:
        return end.get("type") in kind.exceptions
    if (
        end.get("type") in ("TypeError", "AttributeError", "IndexError")
        and end["type"] not in kind.exceptions
    ):
        return False
    text = str(end.get("message", ""))[:SEARCHED]
    return any(re.search(pattern, text, re.IGNORECASE | re.DOTALL) for pattern in kind.patterns)


def _warnings(expectation: Expectation, value: Any) -> Finding | None:
    found = value["warnings"]
    shown = "; ".join(f"{item['type']}: {item['message']}" for item in found) or "none"
    if expectation.relation == "quiet":
        return ("wrong-warning", f"expected no warning, found {shown}") if found else None
    if any(item["kind"] in expectation.expected for item in found):
        return None
    return (
        "wrong-warning",
        f"expected a warning of kind {' or '.join(expectation.expected)}, found {shown}",
    )
