"""Cases that prove little: those which an engine passes that computes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from gradspec.adapters.baseline_engines import AgreeableEngine, NothingEngine
from gradspec.spec.checking.kept import Kept
from gradspec.spec.model import Chapter, Spec
from gradspec.spec.problems import Problem
from gradspec.spec.reading.folder import ROOT

from .. import judging
from ..judging.judge import judge

CODE = (Path(judging.__file__).parent, ROOT.parent / "adapters")
"""What decides whether a baseline passes."""


def cases_that_prove_little(spec: Spec, root: Path = ROOT) -> Iterator[Problem]:
    """A problem for each case that a baseline passes."""
    kept = Kept(root, *CODE)
    for chapter in spec.chapters:
        cases = [case for behavior in chapter.behaviors for case in behavior.cases]
        keys = dict.fromkeys(case.program.forms.key for case in cases if case.program.forms)
        name = f"{chapter.name}.baselines"
        yield from kept.problems(name, list(keys), partial(_proving_little, chapter, spec))


def _proving_little(chapter: Chapter, spec: Spec) -> Iterator[Problem]:
    for engine in (NothingEngine(), AgreeableEngine()):
        for case in (case for behavior in chapter.behaviors for case in behavior.cases):
            verdict = judge(case, engine.run(case.program), spec.kinds, exact_kinds=False)
            if verdict.verdict == "pass":
                what = "does nothing" if engine.name == "nothing" else "agrees to everything"
                yield Problem(
                    case.place,
                    f"an engine that {what} passes the case",
                    "assert something that must happen, and something that must not",
                    case.id,
                )
