"""Scores: passed / attempted / all, MUST apart from the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from .verdict import ATTEMPTED, FAILED, NAMES, Verdict


@dataclass
class Score:
    """Counts of verdicts. `all` counts every case, attempted or not."""

    counts: Counter[str] = field(default_factory=Counter)
    setup: int = 0
    """How many of the failures broke before the case's own subject was reached."""

    def add(self, verdict: Verdict) -> None:
        self.counts[verdict.verdict] += 1
        self.setup += verdict.setup and verdict.verdict in FAILED

    @property
    def passed(self) -> int:
        return self.counts["pass"] + self.counts["unexpected-pass"]

    @property
    def attempted(self) -> int:
        return sum(self.counts[name] for name in ATTEMPTED)

    @property
    def all(self) -> int:
        return sum(self.counts[name] for name in NAMES)

    @property
    def failed(self) -> int:
        return sum(self.counts[name] for name in FAILED)

    def __add__(self, other: Score) -> Score:
        return Score(self.counts + other.counts, self.setup + other.setup)

    def __str__(self) -> str:
        return f"{self.passed} / {self.attempted} / {self.all}"


@dataclass
class Scores:
    """The main score (MUST, documented or implied) and the rest (SHOULD, MAY, observed)."""

    must: Score = field(default_factory=Score)
    rest: Score = field(default_factory=Score)

    def add(self, verdict: Verdict) -> None:
        (self.must if verdict.must else self.rest).add(verdict)

    @property
    def total(self) -> Score:
        return self.must + self.rest

    def __add__(self, other: Scores) -> Scores:
        return Scores(self.must + other.must, self.rest + other.rest)

    @property
    def conforms(self) -> bool:
        """Whether every MUST that was attempted passed or is a known failure, no list rots, and
        anything was attempted at all."""
        return (
            bool(self.total.attempted)
            and not self.must.failed
            and not self.total.counts["unexpected-pass"]
        )


def score_of(verdicts: Iterable[Verdict]) -> Scores:
    """The scores of a run."""
    scores = Scores()
    counts = Counter((verdict.must, verdict.verdict, verdict.setup) for verdict in verdicts)
    for (must, name, setup), count in counts.items():
        score = scores.must if must else scores.rest
        score.counts[name] += count
        score.setup += count if setup and name in FAILED else 0
    return scores
