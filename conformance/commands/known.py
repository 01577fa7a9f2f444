"""`gradspec known`: a list of known failures, from a run."""

from __future__ import annotations

from pathlib import Path

import click

from ..files import write_together
from .shared import explained, load, misuse, say, spec_option

SHOWN = 10
"""How many cases are named that were dropped from a list."""


@click.command("known")
@click.option(
    "--from",
    "journals",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    multiple=True,
    help="Journal of the run (results/NAME.jsonl); several are parts of one run.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("known.yaml"),
    show_default=True,
    help="File to write or update.",
)
@spec_option
def command(journals: tuple[Path, ...], output: Path, spec_root: Path | None) -> None:
    """Write a list of the known failures of a run, for `gradspec run --known=FILE`.

    Lists a behavior if all its cases fail, and single cases otherwise, each with its cause. In an existing list,
    entries with a reason or a link are kept until their cases pass.
    """
    from ..judging.known import read_entries
    from ..judging.known_update import read_text, updated
    from ..reporting.causes import causes_of
    from ..running.journal import merge, read_journal

    spec = load(spec_root)
    with explained():
        journal = merge([read_journal(path) for path in journals])
        entries = read_entries(output, spec)
        text = read_text(output)
    if not journal.same_spec(spec):
        misuse(
            f"{journals[0]} is of a run with another version of the specification; "
            "run the suite again, or name its folder with --spec"
        )
    causes = {
        verdict.case: cause.title
        for cause in causes_of(journal.verdicts, spec)
        for verdict in (*cause.cases, *cause.follow)
    }
    repeated = int(journal.header["options"].get("repeat") or 1) > 1
    with explained():
        update = updated(entries, text, journal.verdicts, causes, spec, repeated)
    header = "" if text else f"# Known failures of {journal.name}, as gradspec found them.\n"
    with explained():
        write_together({output: header + update.text})
    say(f"{output}: {update.entries} entr{'y' if update.entries == 1 else 'ies'}")
    if update.added:
        say(f"{len(update.added)} failure{'s' * (len(update.added) != 1)} added")
    if update.dropped:
        say(f"{len(update.dropped)} removed, since they pass now:")
        for case in update.dropped[:SHOWN]:
            say(f"  {case}")
        if len(update.dropped) > SHOWN:
            say(f"  and {len(update.dropped) - SHOWN} more")
