"""How the engines of some journals do on each behavior: strips of one cell for each engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gradspec.spec.model import Behavior, Chapter, Spec

from ...judging.score import score_of

Data = dict[str, Any]
MARKS = {
    "holds": "✓", "partly": "✓", "known": "k", "fails": "✗", "unexpected-pass": "!",
    "unsupported": "–", "missing": "?",
}  # fmt: skip
SAID = {
    "holds": "passes", "partly": "passes what it supports", "known": "has a known difference",
    "fails": "fails", "unexpected-pass": "passes a listed failure", "unsupported": "does not support it",
    "missing": "was not run",
}  # fmt: skip


class Strips:
    """The results of some engines."""

    def __init__(self, paths: Sequence[Path], spec: Spec) -> None:
        from ..report import read_runs
        from ..report.data import engine_keys, status_of

        journals = read_runs(paths)
        self.status_of = status_of
        self.keys = [key.removeprefix("module-") for key in engine_keys(journals)]
        self.versions = [
            str(journal.header.get("engine", {}).get("version", "")) for journal in journals
        ]
        for journal in journals:
            journal.score_by(spec)
        self.tables = [{verdict.case: verdict for verdict in item.verdicts} for item in journals]

    def of_behavior(self, behavior: Behavior) -> list[Data]:
        """A cell for each engine that was run on a behavior."""
        cells = []
        for key, version, table in zip(self.keys, self.versions, self.tables, strict=True):
            found = [table[case.id] for case in behavior.cases if case.id in table]
            if not found:
                continue  # it was not run on this behavior, which says nothing about it
            status = self.status_of(
                Counter(verdict.verdict for verdict in found), len(behavior.cases)
            )
            score = score_of(found).total
            count = f"{score.passed} of {score.attempted} cases" if score.attempted else ""
            cells.append({
                "engine": key, "version": version, "status": status, "mark": MARKS[status],
                "said": f"{SAID[status]}{f': {count}' if count else ''}",
                "share": f"{score.passed}/{score.attempted}" if status == "fails" else "",
            })  # fmt: skip
        return cells

    def of_chapter(self, chapter: Chapter) -> list[Data]:
        """For each engine, how many behaviors of a chapter it passes, fails and does not support."""
        cells = []
        for key, version, table in zip(self.keys, self.versions, self.tables, strict=True):
            found: Counter[str] = Counter()
            for behavior in chapter.behaviors:
                verdicts = [table[case.id] for case in behavior.cases if case.id in table]
                found[
                    self.status_of(
                        Counter(verdict.verdict for verdict in verdicts), len(behavior.cases)
                    )
                ] += 1
            passed = found["holds"] + found["partly"] + found["unexpected-pass"]
            failed = found["fails"] + found["known"]
            unknown = found["missing"]
            if unknown == len(chapter.behaviors):
                continue
            other = len(chapter.behaviors) - passed - failed - unknown
            parts = [
                ("holds", passed, "passes"),
                ("fails", failed, "fails"),
                ("unsupported", other, "does not support"),
                ("missing", unknown, "not run:"),
            ]
            cells.append({
                "engine": key, "version": version,
                "parts": [(name, count) for name, count, _ in parts if count],
                "said": ", ".join(f"{said} {count}" for _, count, said in parts if count),
            })  # fmt: skip
        return cells
