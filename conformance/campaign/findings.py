"""The findings in `adapters/findings.yaml`: real failures of engines, and whether they are still there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gradspec.spec.model import Spec
from gradspec.spec.problems import Place, Problem, SpecError, nearest

from ..judging.verdict import FAILED, Verdict
from .entries import Entry
from .reading import plain, read_checked

LIST = "the list of findings"
FILE = "findings.yaml"


@dataclass(frozen=True)
class Finding:
    """One failure of one engine. The fields are those of `schema/findings.json`."""

    engine: str
    version: str
    case: str
    title: str
    expected: str
    found: str
    tracker: str
    place: Place


def read_findings(path: Path, entries: Mapping[str, Entry], spec: Spec) -> list[Finding]:
    """The findings of a list, in its order; none if there is no such file.

    Raises `SpecError` for a file that is not well formed, and for engines and cases that do not exist.
    """
    if not path.exists():
        return []
    content = read_checked(path, "findings.json", LIST)
    known = {"engine": dict.fromkeys(entries), "case": dict.fromkeys(c.id for c in spec.cases)}
    findings, problems = [], []
    for located in content.value:
        fields = plain(located)
        for key, names in known.items():
            if fields[key] not in names:
                message = f"there is no {key} {fields[key]!r}"
                place = located.value[key].place
                problems.append(Problem(place, message, nearest(fields[key], names)))
        fields["version"] = str(fields["version"])
        findings.append(Finding(**fields, place=located.place))
    if problems:
        raise SpecError(problems, LIST)
    return findings


def stale(finding: Finding, verdicts: Mapping[str, Verdict]) -> str:
    """What became of a finding that a run no longer shows, in words; "" if it still does."""
    verdict = verdicts.get(finding.case)
    if verdict is None:
        return "the run has no verdict on its case"
    if verdict.verdict in (*FAILED, "known"):
        return ""
    return {
        "pass": "its case passes now",
        "unexpected-pass": "its case passes now",
        "unsupported": "its case is unsupported now",
    }.get(verdict.verdict, f"its case is {verdict.verdict}")
