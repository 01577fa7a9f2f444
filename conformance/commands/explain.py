"""`gradspec explain`: all about one behavior or case."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .shared import find, load, spec_option


@click.command("explain")
@click.argument("identifier", metavar="ID")
@spec_option
def command(identifier: str, spec_root: Path | None) -> None:
    """Tell all about one behavior or case."""
    from gradspec.spec.model import Behavior

    spec = load(spec_root)
    found = find(spec, identifier)
    if isinstance(found, Behavior):
        behavior, cases = found, found.cases
    else:
        behavior, cases = found.behavior, [found]
    for line in told(behavior, cases, spec):
        click.echo(line)


def told(behavior: Any, cases: list[Any], spec: Any) -> list[str]:
    lines = [behavior.id, "", f"  {behavior.statement}", ""]
    lines.append(
        f"  {behavior.strength}, {behavior.level}"
        + (f", since PyTorch {behavior.since}" if behavior.since else "")
    )
    for name in ("refuses", "pitfall", "differs", "folklore"):
        if getattr(behavior, name):
            lines.append(f"  {name}: {getattr(behavior, name)}")
    for source in behavior.sources:
        entry = spec.sources[source]
        lines.append(
            f"  source: {entry.title}{f', {entry.note}' if entry.note else ''} ({entry.where})"
        )
    for case in cases:
        lines += ["", f"{case.id}", f"  needs: {', '.join(sorted(case.program.features))}", ""]
        lines += [f"    # {name} = {text}" for name, text in case.row]
        lines += [f"    {line}" for line in case.text.rstrip().split("\n")]
    lines += ["", f"{behavior.place}"]
    return lines
