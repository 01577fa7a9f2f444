"""The worst failures of an engine as cards: what was promised, the program, and what was found."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gradspec.spec.model import Case

from ...judging.verdict import Verdict
from ..causes import Cause
from ..drawing import Graphs, svg_of, wrong_names
from ..messages import both_values

Data = dict[str, Any]
MOST = 5
LONG_NUMBER = re.compile(r"\d+\.\d{7,}(?:e[-+]?\d+)?")
DIGITS = 6
"""How many digits of a long number are shown."""
VALUED = ("wrong-value", "wrong-state")
"""The kinds of failure whose values say what is wrong; of the others the message does."""


def cards_of(
    causes: Sequence[Cause], cases: Mapping[str, Case], impl: str, graphs: Graphs
) -> list[Data]:
    """A card for each of the largest causes. Each shows another behavior where there are enough."""
    first: dict[str, Cause] = {}
    for cause in causes:
        first.setdefault(cause.example.case.split("/")[0], cause)
    chosen = list(first.values())[:MOST]
    chosen += [cause for cause in causes if cause not in chosen][: MOST - len(chosen)]
    return [card_of(cause, cases[cause.example.case], impl, graphs) for cause in chosen]


def card_of(cause: Cause, case: Case, impl: str, graphs: Graphs) -> Data:
    """A cause's first case."""
    verdict = cause.example
    valued = verdict.kind in VALUED
    expected, observed = shorter(*both_values(verdict)) if valued else ("", "")
    return {
        "case": case.id,
        "statement": case.behavior.statement,
        "title": cause.title,
        "count": cause.count(),
        "must": cause.must,
        "kind": verdict.kind or verdict.verdict,
        "program": case.text.rstrip("\n"),
        "table": [f"{name} = {text}" for name, text in case.row],
        "failing": failing_line(case, verdict.line),
        "expected": expected,
        "observed": observed,
        "message": verdict.message.removesuffix(f" (at {verdict.where})"),
        "where": verdict.where,
        "repro": f"gradspec repro '{case.id}' --impl={impl}",
        "drawing": drawing_of_failure(case, verdict, graphs),
    }


def shorter(expected: str, observed: str) -> tuple[str, str]:
    """Both values with fewer digits, unless that hides the difference."""
    fewer = rounded(expected), rounded(observed)
    return fewer if fewer[0] != fewer[1] else (expected, observed)


def rounded(text: str) -> str:
    """A text with fewer digits of the long numbers in it."""
    return LONG_NUMBER.sub(lambda found: f"{float(found.group()):.{DIGITS}g}", text)


def failing_line(case: Case, line: int) -> int:
    """Which line of the program failed, from 0 on; -1 if that is not known."""
    index = line - case.first_line
    return index if case.first_line and 0 <= index < len(case.text.split("\n")) else -1


def drawing_of_failure(case: Case, verdict: Verdict, graphs: Graphs) -> str:
    """The graph that the case should record, with what the engine gets wrong marked."""
    graph = graphs.of(case)
    found = both_values(verdict)[1] if verdict.kind in VALUED else ""
    return svg_of(graph, wrong_names(case, verdict.line, found)) if graph else ""
