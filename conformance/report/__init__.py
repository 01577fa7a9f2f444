"""The behavior report: one or several journals as HTML, Markdown, JSON and a badge."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from gradspec.spec.model import Spec

from ..journal import Journal, merge, read_journal
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
    """Write report.html, report.md, report.json and a badge for each engine; the paths written.

    `against` names an earlier journal: the report then tells what changed since.
    """
    from .html import html_of
    from .markdown import markdown_of

    report = build_report(read_runs(paths), spec, read_journal(against) if against else None)
    folder.mkdir(parents=True, exist_ok=True)
    written = {
        "report.html": html_of(report),
        "report.md": markdown_of(report),
        "report.json": json.dumps(report, ensure_ascii=False, indent=1) + "\n",
    }
    for engine in report["engines"]:
        written[f"badge-{engine['key']}.json"] = json.dumps(engine["badge"]) + "\n"
    for name, text in written.items():
        (folder / name).write_text(text, "utf-8")
    return [folder / name for name in written]
