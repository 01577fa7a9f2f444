"""`gradspec book`: the specification as a book to read."""

from __future__ import annotations

from pathlib import Path

import click

from .shared import explained, load, say, spec_option


@click.command("book")
@click.option(
    "-o",
    "--out",
    "--output",
    "out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("book"),
    show_default=True,
    help="Folder to write.",
)
@click.option(
    "--journal",
    "journals",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Journal of a run: show its engine's results for each behavior. May be repeated.",
)
@spec_option
def command(out: Path, journals: tuple[Path, ...], spec_root: Path | None) -> None:
    """Write the specification as a book: web pages that need no server and no network.

    Open index.html in the folder that it writes.
    """
    spec = load(spec_root)
    from gradspec.spec.reading.folder import ROOT

    from ..reporting.book import write_book

    with explained():
        paths = write_book(out, spec, spec_root.resolve() if spec_root else ROOT, journals)
    pages = sum(path.suffix == ".html" for path in paths)
    say(f"{out / 'index.html'}: {pages} pages on {len(spec.behaviors)} behaviors")
