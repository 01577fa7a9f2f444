"""Verdicts: every case gets exactly one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from ..text import storable

Name = Literal[
    "pass", "fail", "crash", "timeout", "flaky", "unsupported", "known", "unexpected-pass"
]
NAMES: tuple[Name, ...] = get_args(Name)
ATTEMPTED: frozenset[Name] = frozenset(NAMES) - {"unsupported"}
FAILED: frozenset[Name] = frozenset({"fail", "crash", "timeout", "flaky"})
NOT_HELD: frozenset[Name] = frozenset({*FAILED, "known"})
LONGEST = 10**9
"""An upper bound for the seconds of a case and for the lines of a file."""


@dataclass(slots=True)
class Verdict:
    """The result of one case.

    `kind` says how it failed: wrong-value, wrong-state, did-not-raise, wrong-error,
    wrong-warning, unexpected-error, not-reached, malformed; or what crashed; `missing-gradient` if the
    case is unsupported for want of a gradient. `expected` and
    `observed` are plain values. `line` is the line of the chapter's file that failed, `where` the
    engine's own file and line that raised, if known. `setup` is true if the case failed before its
    first assertion. `must` says whether it counts in the main score. `spoils` is the id of a case
    that passed before this one and failed after it, so that this one probably left state behind in
    the engine. `retried` says how a first attempt ended that the engine's process did not survive;
    the verdict is then that of the second attempt, in a new process. `rounds` says of a flaky case how
    often it got which verdict; its other fields are those of one run that failed.
    """

    case: str
    verdict: Name
    kind: str = ""
    message: str = ""
    expected: Any = None
    observed: Any = None
    line: int = 0
    where: str = ""
    seconds: float = 0.0
    must: bool = True
    setup: bool = False
    blamed_on: str = ""
    reason: str = ""
    spoils: str = ""
    retried: str = ""
    rounds: str = ""

    def to_json(self) -> dict[str, Any]:
        """The verdict as a journal line, without the fields that say nothing.

        What came from the engine is made storable here, once for everything that carries verdicts.
        """
        written = {name: getattr(self, name) for name in self.__slots__}
        if self.verdict != "pass":
            written = {name: storable(value) for name, value in written.items()}
        written["seconds"] = round(self.seconds, 6) if 0 <= self.seconds < LONGEST else 0.0
        if not 0 <= self.line < LONGEST:
            written["line"] = 0
        for name in (
            "line",
            "where",
            "setup",
            "blamed_on",
            "reason",
            "spoils",
            "retried",
            "rounds",
        ):
            if not written[name]:
                del written[name]
        return written

    @classmethod
    def from_json(cls, line: dict[str, Any]) -> Verdict:
        known = {name: line[name] for name in cls.__dataclass_fields__ if name in line}
        return cls(**known)
