"""`gradspec list`: what there is."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from .shared import NearestChoice, load, say, spec_option

WHAT = (
    "behaviors",
    "cases",
    "chapters",
    "laws",
    "features",
    "profiles",
    "words",
    "kinds",
    "sources",
    "folklore",
    "engines",
)


@click.command("list")
@click.argument("what", type=NearestChoice(WHAT), default="chapters")
@click.option(
    "-k", "select", metavar="TEXT", default="", help="Show only lines that contain this text."
)
@spec_option
def command(what: str, select: str, spec_root: Path | None) -> None:
    """List behaviors, cases, chapters, laws, features, profiles, words, kinds, sources, folklore or engines."""
    found = [line for line in lines_of(what, spec_root) if select in line]
    for line in found:
        name, rest = _name_of(line)
        say(name, nl=False, bold=True)
        say(rest)
    if select and not found:
        say(f"nothing in the {what} contains {select!r}", err=True)


def lines_of(what: str, spec_root: Path | None) -> list[str]:
    if what == "engines":
        from gradspec.adapters.framework.registry import known_adapters

        return [f"{name:<12} {entry.value}" for name, entry in sorted(known_adapters().items())]
    spec = load(spec_root)
    if what == "chapters":
        return [_chapter_line(chapter) for chapter in spec.chapters]
    if what == "behaviors":
        return [f"{behavior.id}\n    {behavior.statement}" for behavior in spec.behaviors]
    if what == "laws":
        return [f"{law.id}  {len(law.cases)} cases\n    {law.statement}"
                for law in spec.behaviors if law.chapter == "laws"]  # fmt: skip
    if what == "folklore":
        return [f"{item.id}\n    often said: {item.folklore}\n    in fact:    {item.statement}"
                for item in spec.behaviors if item.folklore]  # fmt: skip
    if what == "cases":
        return [case.id for case in spec.cases]
    if what == "features":
        needed = Counter(feature for case in spec.cases for feature in case.program.features)
        return [
            f"{name:<22} {needed[name]:>5} cases  {item.meaning}"
            for name, item in spec.features.items()
        ]
    if what == "profiles":
        return [f"{name:<16} {item.meaning}\n{'':<17}{', '.join(sorted(item.features))}"
                for name, item in spec.profiles.items()]  # fmt: skip
    if what == "words":
        tables = (
            spec.vocabulary.names,
            spec.vocabulary.methods,
            spec.vocabulary.attributes,
            spec.vocabulary.keywords,
        )
        return [f"{word.name:<36} {word.role:<10} {word.feature:<18} {word.meaning}"
                for table in tables for word in table.values()]  # fmt: skip
    if what == "kinds":
        return [
            f"{kind.name:<26} {kind.shown_sort:<8} {kind.meaning}" for kind in spec.kinds.values()
        ]
    return [f"{name:<44} {source.note or source.title}" for name, source in spec.sources.items()]


def _name_of(line: str) -> tuple[str, str]:
    """A line as the name that it begins with, and the rest."""
    end = min((place for mark in " \n" if (place := line.find(mark)) >= 0), default=len(line))
    return line[:end], line[end:]


def _chapter_line(chapter: Any) -> str:
    cases = sum(len(behavior.cases) for behavior in chapter.behaviors)
    return f"{chapter.name:<18} {len(chapter.behaviors):>4} behaviors {cases:>5} cases   {chapter.title}"
