"""`gradspec diff`: two runs, case by case."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .shared import explained, say


@click.command("diff")
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
def command(before: Path, after: Path) -> None:
    """Compare two runs (of versions, devices, engines), case by case.

    Journals of runs that were cut short or left out cases are rejected. Exit status 0 when no verdict differs, 1 when
    some do, 2 for a usage error.
    """
    from ..reporting.report.changes import changes_since, check_complete, check_profiles
    from ..running.journal import read_journal
    from ..text import one_line

    with explained():
        earlier, later = read_journal(before), read_journal(after)
        for journal in (earlier, later):
            check_complete(journal)
        check_profiles(earlier, later)
    if earlier.header.get("spec") != later.header.get("spec"):
        say("note: the two runs are against different specifications", err=True)
    changes = changes_since(earlier, later)
    for change in changes:
        say(f"{change['before']:>12} -> {change['after']:<12} {one_line(change['case'])}")
    say(f"{len(changes)} of {len(later.verdicts)} cases differ", err=True)
    sys.exit(1 if changes else 0)
