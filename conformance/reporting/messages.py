"""Explains a failure: what was expected, what was found, where, and how to reproduce it."""

from __future__ import annotations

from gradspec.spec.model import Case
from gradspec.spec.problems import shown_path
from gradspec.spec.values import show

from ..judging.verdict import Verdict
from ..text import printable


def explain(case: Case, verdict: Verdict, engine: str) -> str:
    """A failure in a dozen lines, free of terminal control characters. `engine` is what follows
    `--impl=` in the command that reproduces it."""
    behavior = case.behavior
    lines = [behavior.statement, ""]
    lines += [f"  {line}" for line in excerpt(case, verdict.line)]
    lines += ["", verdict.message.replace("\n", "\n  ")]  # no line of it passes for one of ours
    if verdict.verdict in ("fail", "flaky", "known") and verdict.kind in (
        "wrong-value",
        "wrong-state",
    ):
        expected, observed = both_values(verdict)
        lines += [f"  expected: {expected}", f"  observed: {observed}"]
    if verdict.reason:
        lines += [f"  known failure: {verdict.reason}"]
    if behavior.pitfall:
        lines += [f"  a common cause: {behavior.pitfall}"]
    level = "" if verdict.must else f" ({behavior.strength}, {behavior.level}: scored separately)"
    line = case.place.line if case.generated else verdict.line or case.place.line
    lines += ["", f"at {shown_path(case.program.file)}:{line}{level}"]
    documents = [
        name for name in behavior.sources if not name.startswith("seed/")
    ] or behavior.sources
    lines += [f"sources: {', '.join(documents) or 'observed on PyTorch'}"]
    lines += [f"reproduce: gradspec repro '{case.id}' --impl={engine}"]
    return printable("\n".join(lines))


def both_values(verdict: Verdict) -> tuple[str, str]:
    """What was expected and what was found. If a program compares two values of its own, these are the two."""
    expected, observed = verdict.expected, verdict.observed
    pair = observed.get("pair") if isinstance(observed, dict) else None
    if isinstance(pair, list) and len(pair) == 2:
        observed, expected = pair
    return show(expected), show(observed)


def excerpt(case: Case, line: int) -> list[str]:
    """The program as written in the chapter, with an arrow at the line that failed."""
    text = case.text.rstrip("\n").split("\n")
    first = case.first_line
    marked = []
    for number, source in enumerate(text, start=first):
        arrow = "-> " if number == line else "   "
        marked.append(f"{arrow}{source}")
    return [*(f"   # {name} = {text}" for name, text in case.row), *marked]
