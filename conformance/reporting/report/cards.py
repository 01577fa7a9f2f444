"""The worst failures of an engine as cards: what was promised, the program, and what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gradspec.spec.model import Case
from gradspec.spec.values import show

from ...judging.verdict import Verdict
from ..causes import Cause
from ..drawing import Graphs, svg_of, wrong_names

Data = dict[str, Any]
MOST = 5
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
        "expected": show(verdict.expected) if valued else "",
        "observed": show(verdict.observed) if valued else "",
        "message": verdict.message.removesuffix(f" (at {verdict.where})"),
        "where": verdict.where,
        "repro": f"gradspec repro '{case.id}' --impl={impl}",
        "drawing": drawing_of_failure(case, verdict, graphs),
    }


def failing_line(case: Case, line: int) -> int:
    """Which line of the program failed, from 0 on; -1 if that is not known."""
    index = line - case.first_line
    return index if case.first_line and 0 <= index < len(case.text.split("\n")) else -1


def drawing_of_failure(case: Case, verdict: Verdict, graphs: Graphs) -> str:
    """The graph that the case should record, with what the engine gets wrong marked."""
    graph = graphs.of(case)
    found = show(verdict.observed) if verdict.kind in VALUED else ""
    return svg_of(graph, wrong_names(case, verdict.line, found)) if graph else ""
