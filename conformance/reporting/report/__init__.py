"""The behavior report: one or several journals as HTML, Markdown, JSON and a badge."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gradspec.spec.model import Spec
from gradspec.spec.reading.forms import collector_paused

from ...files import write_together
from ...running.journal import Journal, merge, read_journal
from .data import begin_report


def read_runs(paths: Sequence[Path]) -> list[Journal]:
    """The journals, with the parts of one run put together. Several whole runs of one engine stay
    apart. Raises `JournalError`."""
    groups: dict[str, list[Journal]] = {}
    for path in paths:
        journal = read_journal(path)
        groups.setdefault(json.dumps(journal.header.get("engine"), sort_keys=True), []).append(
            journal
        )
    runs: list[Journal] = []
    for parts in groups.values():
        whole = len(parts) == 1 or any(part.complete for part in parts)
        runs += parts if whole else [merge(parts)]
    return runs


def write_report(
    paths: Sequence[Path],
    folder: Path,
    spec: Spec,
    against: Path | None = None,
    titles: Mapping[Path, str] = MappingProxyType({}),
) -> list[Path]:
    """Write report.html with the picture for previews of links to it, report.md, report.json, for each
    engine a badge as a picture and as JSON, and the results by operation as operations.html and
    operations.csv; the paths written.

    `against` names an earlier journal of one of the engines: the report then shows what changed
    since. `titles` are what the engines of some journals are called instead of their own names. All
    files are written or, when one cannot be, none. Raises `JournalError` and `CannotWrite`.
    """
    with collector_paused():  # nearly all that is made here stays until the end, and then goes
        report, add_causes = _report_on(paths, spec, against, titles)
        written = _rendered(report, add_causes)
        del report, add_causes
    files = {folder / name: text for name, text in written.items()}
    write_together(files)
    return list(files)


def _report_on(
    paths: Sequence[Path], spec: Spec, against: Path | None, titles: Mapping[Path, str]
) -> tuple[dict[str, Any], Callable[[], None]]:
    """What the report tells, as data, and what adds the causes of failures to it."""
    runs = read_runs(paths)
    for run in runs:
        if run.path is not None and run.path in titles:
            run.header["engine"]["name"] = titles[run.path]
    return begin_report(runs, spec, read_journal(against) if against else None)


def _rendered(report: dict[str, Any], add_causes: Callable[[], None]) -> dict[str, str | bytes]:
    """The report's files by their names."""
    from .badges import badge_svg
    from .html import begin_html
    from .lean import lean_of, text_of
    from .markdown import markdown_of
    from .operations import operation_files
    from .preview import preview_of

    end_page = begin_html(report)
    add_causes()
    written: dict[str, str | bytes] = {
        "report.html": "",
        "report.md": markdown_of(report),
        "report.json": text_of(lean_of(report)),
        "preview.png": preview_of(report),
    }
    for engine in report["engines"]:
        written[f"badge-{engine['key']}.json"] = json.dumps(engine["badge"]) + "\n"
        written[f"badge-{engine['key']}.svg"] = badge_svg(engine) + "\n"
    written.update(operation_files(report))
    written["report.html"] = end_page()
    return written
