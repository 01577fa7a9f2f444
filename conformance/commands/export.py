"""`gradspec export`: the specification as JSON, in one file or in one for each chapter."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from ..files import write_together
from ..text import json_text
from .shared import explained, load, misuse, say, spec_option

INDEX = "index.json"


@click.command("export")
@click.argument("chapters", nargs=-1, metavar="[CHAPTER ...]")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="File to write (default: standard output).",
)
@click.option(
    "-d",
    "--directory",
    type=click.Path(path_type=Path),
    help="Folder to write, with an index and a file for each chapter, instead of one file.",
)
@click.option(
    "--without-expectations",
    is_flag=True,
    help="Omit the expected values, as an engine receives the cases.",
)
@spec_option
def command(
    chapters: tuple[str, ...],
    output: Path | None,
    directory: Path | None,
    without_expectations: bool,
    spec_root: Path | None,
) -> None:
    """Write the specification, or some of its chapters, as JSON (schema: spec/schema/bundle.json).

    The whole is large: with `-d FOLDER` each chapter has its own file, and index.json lists them.
    """
    spec = load(spec_root)
    wanted = _known(chapters, spec)
    expectations = not without_expectations
    if directory is not None:
        if output is not None:
            misuse("choose one of --output and --directory")
        write_folder(directory, spec, wanted, expectations)
        return
    bundle = {**head_of(spec, wanted), **contents_of(spec, wanted, expectations)}
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


def _known(chapters: Collection[str], spec: Any) -> list[str]:
    """The chapters that are asked for, all of them if none is, in the order of the specification."""
    from gradspec.spec.problems import nearest

    names = [chapter.name for chapter in spec.chapters]
    for name in chapters:
        if name not in names:
            misuse(f"there is no chapter {name!r}; {nearest(name, names) or 'see `gradspec list`'}")
    return [name for name in names if not chapters or name in chapters]


def write_folder(folder: Path, spec: Any, chapters: list[str], expectations: bool) -> None:
    """An index and a file for each chapter. The index comes last: where it is, all it lists is."""
    head = head_of(spec, chapters)
    for entry in head["chapters"]:
        contents = contents_of(spec, [entry["name"]], expectations)
        entry["file"] = f"{entry['name']}.json"
        entry["behaviors"], entry["cases"] = len(contents["behaviors"]), len(contents["cases"])
        with explained():
            write_together({folder / entry["file"]: one_entry_a_line(contents)})
    with explained():
        write_together({folder / INDEX: one_entry_a_line(head)})
    cases = sum(entry["cases"] for entry in head["chapters"])
    say(f"{folder / INDEX}: {cases} cases in {len(head['chapters'])} chapters", err=True)


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


def head_of(spec: Any, chapters: Collection[str]) -> dict[str, Any]:
    """What all chapters share, and a list of them, as plain data."""
    return {
        "gradspec": 1,
        "digest": spec.digest,
        "chapters": [
            {
                **{name: getattr(item, name) for name in ("name", "title", "introduction", "part")},
                "guide": [step_of(step) for step in item.guide],
            }
            for item in spec.chapters
            if item.name in chapters
        ],
        "features": {name: item.meaning for name, item in spec.features.items()},
        "profiles": {name: sorted(item.features) for name, item in spec.profiles.items()},
        "kinds": [asdict(kind) for kind in spec.kinds.values()],
        "sources": {name: asdict(source) for name, source in spec.sources.items()},
    }


def step_of(step: Any) -> str | dict[str, str]:
    """A step of a guide as the chapter has it: a paragraph, a heading, or a case."""
    if step.kind == "text":
        return str(step.text)
    return (
        {"heading": step.text} if step.kind == "heading" else {"case": step.case, "text": step.text}
    )


def contents_of(spec: Any, chapters: Collection[str], expectations: bool) -> dict[str, Any]:
    """The behaviors and cases of some chapters as plain data."""
    chosen = [item for item in spec.behaviors if item.chapter in chapters]
    behaviors = [
        {
            **{name: getattr(item, name) for name in ("id", "chapter", "statement", "strength", "level", "refuses",
                                                      "section", "apart", "pitfall", "differs", "folklore", "since",
                                                      "until")},
            "sources": list(item.sources),
            "needs": list(item.needs),
        }
        for item in chosen
    ]  # fmt: skip
    cases = []
    for case in (case for item in chosen for case in item.cases):
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
    return {"behaviors": behaviors, "cases": cases}
