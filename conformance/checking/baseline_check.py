"""Cases that prove little: those which an engine passes that computes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from gradspec.adapters.baseline_engines import AgreeableEngine, NothingEngine
from gradspec.spec.model import Spec
from gradspec.spec.problems import Problem

from ..judging.judge import judge


def cases_that_prove_little(spec: Spec) -> Iterator[Problem]:
    """A problem for each case that a baseline passes."""
    for engine in (NothingEngine(), AgreeableEngine()):
        for case in spec.cases:
            verdict = judge(case, engine.run(case.program), spec.kinds, exact_kinds=False)
            if verdict.verdict == "pass":
                what = "does nothing" if engine.name == "nothing" else "agrees to everything"
                yield Problem(
                    case.place,
                    f"an engine that {what} passes the case",
                    "assert something that must happen, and something that must not",
                    case.id,
                )
