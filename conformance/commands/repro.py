"""`gradspec repro`: one case as a script of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..files import write_together
from ..text import encodable
from .shared import explained, find, load, misuse, say, spec_option, trust_option


@click.command("repro")
@click.argument("identifier", metavar="CASE")
@click.option(
    "--impl",
    default="torch",
    show_default=True,
    metavar="NAME",
    help="The engine to write the script for.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="File to write (default: standard output).",
)
@click.option("--device", default="cpu", show_default=True, help="The device to run the script on.")
@click.option(
    "--import",
    "imported",
    metavar="NAME",
    help="A module or FILE.py that the script imports first.",
)
@click.option(
    "--python",
    metavar="PATH",
    help="The interpreter to run the script with, if the engine is not installed in this one.",
)
@trust_option
@spec_option
def command(
    identifier: str,
    impl: str,
    output: Path | None,
    device: str,
    imported: str | None,
    python: str | None,
    trust_words: bool,
    spec_root: Path | None,
) -> None:
    """Print one case as a standalone script, to be pasted into a bug report.

    For PyTorch, the reference and module:NAME, the script needs only that engine; for an engine
    with an adapter it also needs gradspec. For exec:COMMAND, prints the program as the JSON line
    that the process receives: `gradspec repro CASE --impl=exec:COMMAND | COMMAND` runs it.
    """
    from gradspec.spec.model import Behavior

    spec = load(spec_root)
    found = find(spec, identifier)
    if isinstance(found, Behavior):
        if len(found.cases) != 1:
            names = "\n  ".join(case.id for case in found.cases)
            misuse(f"{identifier!r} has {len(found.cases)} cases; name one of\n  {names}")
        found = found.cases[0]
    if impl.startswith("exec:") or impl == "libtorch":
        import json

        text = json.dumps({"ask": "run", "number": 1, "program": found.program.json}) + "\n"
    else:
        from gradspec.adapters.framework.boundary import distrusted
        from gradspec.adapters.framework.registry import adapter_target

        from ..reporting.repro import script_of

        if found.program.strangers and not trust_words:  # the script would call them
            misuse(distrusted(found.program.strangers))
        with explained():
            adapter_target(impl)

        text = script_of(found, impl, spec.kinds, device, imported, python)
    if output is None and sys.stdout.isatty():
        say(text, nl=False)
    elif output is None:
        click.echo(encodable(text).encode(), nl=False)  # a script is UTF-8, and data
    else:
        with explained():
            write_together({output: text})
        say(f"wrote {output}; run it with {python or 'a Python that has the engine'}", err=True)
