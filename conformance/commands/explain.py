"""`gradspec explain`: all about one chapter, behavior or case."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import click

from .shared import find, load, spec_option


@click.command("explain")
@click.argument("identifier", metavar="ID")
@spec_option
def command(identifier: str, spec_root: Path | None) -> None:
    """Tell all about one chapter, behavior or case."""
    from gradspec.spec.model import Behavior, Case

    spec = load(spec_root)
    found = find(spec, identifier, chapters=True)
    if isinstance(found, Behavior):
        lines = told(found, found.cases, spec)
    elif isinstance(found, Case):
        lines = told(found.behavior, [found], spec)
    else:
        lines = outlined(found)
    for line in lines:
        click.echo(line)


def outlined(chapter: Any) -> list[str]:
    """A chapter's title and introduction, and a line for each of its behaviors."""
    cases = sum(len(behavior.cases) for behavior in chapter.behaviors)
    introduction = " ".join(chapter.introduction.split())
    lines = [chapter.title, "", *textwrap.wrap(introduction, 96, initial_indent="  ",
                                               subsequent_indent="  ")]  # fmt: skip
    reason = next((behavior.apart for behavior in chapter.behaviors if behavior.apart), "")
    if reason:
        lines += ["", f"  scored apart: {' '.join(reason.split())}"]
    lines += ["", f"  {len(chapter.behaviors)} behaviors, {cases} cases", ""]
    lines += [f"{behavior.id}: {behavior.statement}" for behavior in chapter.behaviors]
    return lines


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
