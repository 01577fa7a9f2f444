"""`gradspec export`: the whole specification as one JSON bundle."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from ..files import write_together
from ..text import json_text
from .shared import explained, load, say, spec_option


@click.command("export")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="File to write (default: standard output).",
)
@click.option(
    "--without-expectations",
    is_flag=True,
    help="Leave out the expected values, as for an engine.",
)
@spec_option
def command(output: Path | None, without_expectations: bool, spec_root: Path | None) -> None:
    """Write the whole specification as one JSON bundle (schema: spec/schema/bundle.json)."""
    bundle = bundle_of(load(spec_root), not without_expectations)
    text = one_entry_a_line(bundle)
    if output is None:
        click.echo(text.encode(), nl=False)  # JSON is UTF-8 whatever the terminal is
    else:
        with explained():
            write_together({output: text})
        say(
            f"{output}: {len(bundle['cases'])} cases of {len(bundle['behaviors'])} behaviors",
            err=True,
        )


def one_entry_a_line(bundle: dict[str, Any]) -> str:
    """JSON with each case, behavior and so on in a line of its own: a third of what indented JSON
    takes, and still easy to search."""
    parts = []
    for name, value in bundle.items():
        if isinstance(value, list):
            entries = ",\n".join(map(json_text, value))
            parts.append(f"{json_text(name)}: [\n{entries}\n]")
        else:
            parts.append(f"{json_text(name)}: {json_text(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def bundle_of(spec: Any, expectations: bool = True) -> dict[str, Any]:
    """The specification as plain data."""
    behaviors = [
        {
            **{name: getattr(item, name) for name in ("id", "chapter", "statement", "strength", "level", "refuses",
                                                      "pitfall", "differs", "folklore", "since", "until")},
            "sources": list(item.sources),
            "needs": list(item.needs),
        }
        for item in spec.behaviors
    ]  # fmt: skip
    cases = []
    for case in spec.cases:
        written = {
            "id": case.id,
            "behavior": case.behavior.id,
            "text": case.text,
            "program": case.program.json,
        }
        if expectations:
            written["expectations"] = [asdict(item) for item in case.expectations]
            written["tolerance_factor"] = case.tolerance_factor
        cases.append(written)
    return {
        "gradspec": 1,
        "digest": spec.digest,
        "chapters": [
            {"name": item.name, "title": item.title, "introduction": item.introduction}
            for item in spec.chapters
        ],
        "features": {name: item.meaning for name, item in spec.features.items()},
        "profiles": {name: sorted(item.features) for name, item in spec.profiles.items()},
        "kinds": [asdict(kind) for kind in spec.kinds.values()],
        "sources": {name: asdict(source) for name, source in spec.sources.items()},
        "behaviors": behaviors,
        "cases": cases,
    }
