"""`gradspec diff`: two runs, case by case."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .shared import explained, load, say, spec_option


@click.command("diff")
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@click.option(
    "--report",
    "report_folder",
    type=click.Path(path_type=Path),
    help="Also write a report with the two runs side by side into this folder.",
)
@spec_option
def command(before: Path, after: Path, report_folder: Path | None, spec_root: Path | None) -> None:
    """Compare two runs (of versions, devices, engines), case by case, grouped by the change of verdict.

    Journals of runs that were cut short or left out cases are rejected. Exit status 0 when no verdict differs, 1 when
    some do, 2 for a usage error.
    """
    from ..reporting.report.changes import (
        changes_since,
        check_complete,
        check_profiles,
        transitions_of,
    )
    from ..running.journal import read_journal
    from ..text import one_line

    with explained():
        earlier, later = read_journal(before), read_journal(after)
        for journal in (earlier, later):
            check_complete(journal)
        check_profiles(earlier, later)
    if earlier.header.get("spec") != later.header.get("spec"):
        say("note: the two runs used different versions of the specification", err=True)
    changes = changes_since(earlier, later)
    for group in transitions_of(changes):
        say(f"{group['count']} {group['before']} -> {group['after']}", bold=True)
        for chapter, cases in group["chapters"].items():
            say(f"  {one_line(chapter)} ({len(cases)})")
            for case in cases:
                say(f"    {one_line(case)}")
    if report_folder:
        from ..reporting.report import write_report

        with explained():
            page, *_ = write_report([before, after], report_folder, load(spec_root))
        say(f"report: {page}#compare", err=True)
    say(f"{len(changes)} of {len(later.verdicts)} cases differ", err=True)
    sys.exit(1 if changes else 0)
