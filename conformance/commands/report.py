"""`gradspec report`: the behavior report."""

from __future__ import annotations

from pathlib import Path

import click

from .shared import explained, load, misuse, say, spec_option


@click.command("report")
@click.argument("journals", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", "--out", "output", type=click.Path(path_type=Path), default=Path("report"),
    show_default=True, help="Folder to write.",
)  # fmt: skip
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    help="An earlier journal of one of the engines: show what changed since.",
)
@spec_option
def command(
    journals: tuple[Path, ...], output: Path, against: Path | None, spec_root: Path | None
) -> None:
    """Make the behavior report from one or several journals (by default results/*.jsonl).

    Writes report.html, report.md, report.json and a badge for each engine; operations.html and
    operations.csv have the results by operation: forward, backward, each dtype, each layout.
    """
    paths = list(journals) or [
        path for path in sorted(Path("results").glob("*.jsonl")) if not path.match("adequacy*")
    ]  # `gradspec check --adequacy` keeps its results there too
    if not paths:
        misuse(
            "expected a journal, found none in results/; make one with `gradspec run --impl=NAME`"
        )
    spec = load(spec_root)
    from ..reporting.report import write_report

    with explained():
        for path in write_report(paths, output, spec, against):
            say(path)
