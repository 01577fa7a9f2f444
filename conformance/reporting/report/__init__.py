"""The behavior report: one or several journals as HTML, Markdown, JSON and a badge."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from gradspec.spec.model import Spec

from ...files import write_together
from ...running.journal import Journal, merge, read_journal
from ...text import json_text
from .data import build_report


def read_runs(paths: Sequence[Path]) -> list[Journal]:
    """The journals, with the parts of one run put together. Raises `JournalError`."""
    groups: dict[str, list[Journal]] = {}
    for path in paths:
        journal = read_journal(path)
        groups.setdefault(json.dumps(journal.header.get("engine"), sort_keys=True), []).append(
            journal
        )
    return [parts[0] if len(parts) == 1 else merge(parts) for parts in groups.values()]


def write_report(
    paths: Sequence[Path], folder: Path, spec: Spec, against: Path | None = None
) -> list[Path]:
    """Write report.html, report.md, report.json and a badge for each engine, and the results by operation as
    operations.html and operations.csv; the paths written.

    `against` names an earlier journal of one of the engines: the report then shows what changed
    since. All files are written or, when one cannot be, none. Raises `JournalError` and `CannotWrite`.
    """
    from .html import html_of
    from .markdown import markdown_of
    from .operations import operation_files

    report = build_report(read_runs(paths), spec, read_journal(against) if against else None)
    written = {
        "report.html": html_of(report),
        "report.md": markdown_of(report),
        "report.json": json_text(report, indent=1) + "\n",
    }
    for engine in report["engines"]:
        written[f"badge-{engine['key']}.json"] = json.dumps(engine["badge"]) + "\n"
    written.update(operation_files(report))
    files = {folder / name: text for name, text in written.items()}
    write_together(files)
    return list(files)
