"""The pages of a campaign: `engines.md`, the results, and `failures.md`, the findings.

What a run showed is kept in `engines.json` beside them, so that a campaign over some engines renews
their rows only. Each row has its own date.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gradspec.adapters.framework.engine import MISSING_GRADIENT
from gradspec.spec.model import Spec

from ..files import write_together
from ..judging.score import Score, score_of
from ..reporting.causes import causes_of
from ..reporting.report.data import share
from ..reporting.report.markdown import code, plain, prose
from ..running.journal import Journal
from ..text import json_text, printable
from .entries import Entry
from .findings import Finding, stale
from .runs import Job, read_record

MOST_CAUSES = 5
Row = dict[str, Any]
ENGINES, FAILURES, DATA = "engines.md", "failures.md", "engines.json"


def row_of(job: Job, journal: Journal, spec: Spec, findings: Sequence[Finding]) -> Row:
    """What the pages tell of one run."""
    journal.score_by(spec)
    scores = score_of(journal.verdicts)
    verdicts = {verdict.case: verdict for verdict in journal.verdicts}
    causes = causes_of(journal.verdicts, spec)
    behavior_of = {case.id: case.behavior for case in spec.cases}
    record = read_record(job)
    return {
        "version": str(journal.header["engine"].get("version", "")),
        "date": record.date if record else "",
        "spec": {"digest": spec.digest, "behaviors": len(spec.behaviors), "cases": len(spec.cases)},
        "must": _counts(scores.must),
        "rest": _counts(scores.rest),
        "ends": dict(
            Counter(v.verdict for v in journal.verdicts if v.verdict in ("crash", "timeout"))
        ),
        "missing_gradients": sum(v.kind == MISSING_GRADIENT for v in journal.verdicts),
        "causes": len(causes),
        "top": [
            {
                "title": cause.title,
                "statement": behavior_of[cause.example.case].statement,
                "cases": len(cause.cases) + len(cause.follow),
                "case": cause.example.case,
            }
            for cause in causes[:MOST_CAUSES]
        ],
        "stale": {
            finding.case: stale(finding, verdicts)
            for finding in findings
            if finding.engine == job.entry.name
        },
    }


def _counts(score: Score) -> list[int]:
    return [score.passed, score.attempted, score.all]


def read_rows(folder: Path) -> dict[str, Row]:
    """The rows that earlier campaigns left. Raises `ValueError` for a file of another kind."""
    path = folder / DATA
    if not path.exists():
        return {}
    try:
        rows: dict[str, Row] = json.loads(path.read_text("utf-8"))["engines"]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{path} was not written by `gradspec campaign`; remove it, or choose another --pages"
        ) from error
    return rows


def write_pages(
    folder: Path, rows: Mapping[str, Row], entries: Mapping[str, Entry], findings: Sequence[Finding],
    spec: Spec,
) -> list[Path]:  # fmt: skip
    """Write the pages and their data; the paths written."""
    kept = {name: rows[name] for name in entries if name in rows}
    texts: dict[Path, str | bytes] = {
        folder / ENGINES: engines_page(kept, entries),
        folder / FAILURES: failures_page(kept, entries, findings, spec),
        folder / DATA: json_text({"engines": kept}, indent=1) + "\n",
    }
    write_together(texts)
    return list(texts)


# --- the results ---


def engines_page(rows: Mapping[str, Row], entries: Mapping[str, Entry]) -> str:
    """The table of results, and the largest causes of failures of each engine."""
    lines = [
        "# Engines",
        "",
        "Results of the suite on other engines. `gradspec campaign --pages docs` installs and runs them, and "
        "writes this page: do not edit it.",
        "",
        "A score is *passed / attempted / all*. A case is attempted if the engine has every feature that "
        "it needs; what an engine lacks is not a failure. MUST counts documented and implied behaviors. "
        "The rest, which is what PyTorch does without documenting it, conventions at kinks and ties, and SHOULD "
        "and MAY, is scored separately.",
        "",
        "| engine | version | written in | kind | MUST | of those attempted | the rest | run on |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [_table_row(entries[name], row) for name, row in rows.items()]
    for name, row in rows.items():
        lines += _section(entries[name], row)
    return printable("\n".join(lines) + "\n")


def _table_row(entry: Entry, row: Row) -> str:
    passed, attempted, _ = row["must"]
    cells = [
        _linked(entry),
        plain(row["version"]),
        plain(entry.language),
        entry.kind,
        _told(row["must"]),
        share(passed, attempted),
        _told(row["rest"]),
        row["date"],
    ]
    return f"| {' | '.join(cells)} |"


def _linked(entry: Entry) -> str:
    return f"[{plain(entry.title)}](#{entry.name})"


def _told(counts: Sequence[int]) -> str:
    return " / ".join(f"{count:,}" for count in counts)


def _section(entry: Entry, row: Row) -> list[str]:
    """What an engine fails most, and how it was run."""
    lines = [
        "",
        f'<a id="{entry.name}"></a>',
        "",
        f"## {plain(entry.title)} {plain(row['version'])}".rstrip(),
        "",
    ]
    if entry.note:
        lines += [plain(entry.note), ""]
    links = [f"[{text}]({link})" for text, link in
             (("Homepage", entry.homepage), ("issues", entry.tracker)) if link]  # fmt: skip
    about = [", ".join(links)] if links else []
    if packages := (*entry.install, *entry.npm):
        with_python = f" on Python {entry.python}" if entry.python else ""
        about.append(f"installed from {', '.join(map(code, packages))}{with_python}")
    about.append(f"run on {row['date']} on {row['spec']['cases']:,} cases")
    lines += ["; ".join(about) + ".", ""]
    told = [_many(row["ends"].get("crash", 0), "crash", "crashes")]
    told.append(
        _many(row["ends"].get("timeout", 0), "case that did not end", "cases that did not end")
    )
    told.append(
        _many(
            row["missing_gradients"],
            "case is",
            "cases are",
            " unsupported because a gradient is missing",
        )
    )
    told = [text for text in told if text]
    if told:
        lines += [f"{', '.join(told)}.", ""]
    if not row["top"]:
        return [*lines, "No failures."]
    many = _many(row["causes"], "cause", "causes", " of failures")
    lines.append(f"{many}; the largest:" if row["causes"] > len(row["top"]) else f"{many}:")
    lines.append("")
    for cause in row["top"]:
        cases = _many(cause["cases"], "case", "cases")
        lines.append(f"1. {prose(cause['title'])} ({cases})  ")
        lines.append(f"   {prose(cause['statement'])}  ")
        lines.append(f"   {code(_command(entry.name, cause['case']))}")
    return lines


def _many(count: int, one: str, several: str, more: str = "") -> str:
    """A count in words; nothing for none."""
    return f"{count:,} {one if count == 1 else several}{more}" if count else ""


def _command(engine: str, case: str) -> str:
    """The command that installs an engine, runs one case and prints what is wrong."""
    return f"gradspec campaign {engine} -k '{case}'"


# --- the findings ---


def failures_page(
    rows: Mapping[str, Row], entries: Mapping[str, Entry], findings: Sequence[Finding], spec: Spec
) -> str:
    """Each finding with its program, what was expected and found, and how to reproduce it."""
    engines = [name for name in entries if any(finding.engine == name for finding in findings)]
    lines = [
        "# Failures",
        "",
        f"{_many(len(findings), 'failure', 'failures')} of {_many(len(engines), 'engine', 'engines')} "
        "that the suite found. Made by `gradspec campaign "
        "--pages docs` from `adapters/findings.yaml`: do not edit this page. The programs use PyTorch's names, and an "
        "adapter maps them to the engine's. The command below each installs the engine in its own environment, "
        "runs the case, and shows what is wrong.",
    ]
    for name in engines:
        own = [finding for finding in findings if finding.engine == name]
        lines += ["", f"## {plain(entries[name].title)}", ""]
        row = rows.get(name)
        lines.append(_checked(entries[name], row))
        for finding in own:
            lines += _finding(finding, row, spec)
    return printable("\n".join(lines) + "\n")


def _checked(entry: Entry, row: Row | None) -> str:
    if row is None:
        return "The suite has not been run on it since these were found."
    version = f" with version {plain(row['version'])}" if row["version"] else ""
    return f"Checked on {row['date']}{version}: [all results](engines.md#{entry.name})."


def _finding(finding: Finding, row: Row | None, spec: Spec) -> list[str]:
    case = next(case for case in spec.cases if case.id == finding.case)
    lines = ["", f"### {prose(finding.title)}", "", prose(case.behavior.statement), "", "```python"]
    lines += [f"# {name} = {text}" for name, text in case.row]
    lines += [*printable(case.text).rstrip("\n").replace("```", "` ` `").split("\n"), "```", ""]
    lines.append(f"Expected {code(finding.expected)}, found {code(finding.found)} "
                 f"in version {plain(finding.version)}. {_tracker(finding)}".rstrip())  # fmt: skip
    if gone := (row or {}).get("stale", {}).get(finding.case):
        lines += ["", f"**No longer seen:** {plain(gone)}."]
    return [*lines, "", "```sh", _command(finding.engine, finding.case), "```"]


def _tracker(finding: Finding) -> str:
    told = {"new": "Not in its tracker.", "unsearched": ""}
    return told.get(finding.tracker, f"[In its tracker]({finding.tracker}).")
