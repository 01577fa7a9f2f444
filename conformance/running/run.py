"""One run, shared by `gradspec run` and pytest: which cases are left to run, which verdicts are in
the journal, and the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gradspec.spec.model import Case

from ..judging.score import Scores, score_of
from ..judging.verdict import Verdict
from .journal_writer import JournalWriter
from .runner import Session, declared_but_broken


@dataclass(frozen=True)
class Outcome:
    """The outcome of a run: the verdicts on the selected cases, and the journal's footer."""

    session: Session
    verdicts: list[Verdict]
    footer: dict[str, Any]

    @cached_property
    def scores(self) -> Scores:
        return score_of(self.verdicts)

    @cached_property
    def declared_but_broken(self) -> list[str]:
        """Features that the engine declares, and of which no case passes."""
        return declared_but_broken(self.session, self.verdicts)

    @property
    def success(self) -> bool:
        """Whether the run's exit status is 0."""
        complete = not self.footer.get("cut_short")
        return complete and self.scores.conforms and not self.declared_but_broken


class Run:
    """A run of some cases on an engine, with its journal. Cases that have a verdict in the journal,
    because it is resumed, are not run again."""

    def __init__(self, session: Session, writer: JournalWriter, cases: Sequence[Case]) -> None:
        self.session = session
        self.writer = writer
        self.cases = cases
        self.wanted = frozenset(case.id for case in cases)

    def left(self) -> list[Case]:
        """The cases that have no verdict yet. The one that took this process down twice gets its
        verdict here and is not run again. Raises `JournalError`."""
        crashed = self.writer.crashed_case() if self.session.in_this_process else ""
        for case in self.cases:
            if case.id == crashed and case.id not in self.writer.done:
                self.writer.write(self.session.crashed(case))
        return [case for case in self.cases if case.id not in self.writer.done]

    def finish(self, cut_short: bool = False) -> Outcome:
        """Write the journal's footer. Raises `JournalError`; a second call changes nothing."""
        done = self.writer.done
        expected = len(self.wanted | done.keys())
        every = {case.id for case in self.session.cases()}
        left_out = len(every - self.wanted - done.keys())
        footer = self.writer.finish(expected, cut_short, left_out)
        return Outcome(self.session, self.verdicts, footer)

    @property
    def verdicts(self) -> list[Verdict]:
        """The verdicts so far on the cases of this run."""
        return [verdict for verdict in self.writer.done.values() if verdict.case in self.wanted]
