"""The index that the book's search reads, as a script, since pages from a disk can load nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gradspec.spec.model import Behavior, Chapter

from ...text import json_text
from .chapters import is_generated
from .prose import Links, plain
from .reference import kinds_expected

Data = dict[str, Any]
Entry = tuple[str, str, str, str, str]
"""The kind of an entry, its title, its address, its text, and other words to find it by."""


def index_script(
    chapters: Sequence[Chapter],
    operations: Iterable[Data],
    glossary: Iterable[Data],
    kinds: Iterable[Data],
    links: Links,
    synonyms: Sequence[Sequence[str]],
) -> str:
    """The index of all pages, and the groups of words that mean the same."""
    entries: list[Entry] = []
    for chapter in chapters:
        told = plain(chapter.introduction)
        entries.append(("chapter", chapter.title, links[chapter.name], told, chapter.name))
        if not is_generated(chapter) or chapter.name == "laws":
            entries += (_behavior(item, links) for item in chapter.behaviors)
    entries += _operations(operations)
    entries += (
        ("term", item["term"], f"glossary.html#{item['id']}", plain(item["plain"]), " ".join(item["also"]))
        for item in glossary
    )  # fmt: skip
    for item in kinds:
        kind, where = item["kind"], f"glossary.html#{item['id']}"
        entries.append((kind.shown_sort, kind.name, where, kind.meaning, item["message"]))
    made = {"entries": entries, "synonyms": synonyms}
    return f"window.gradspecIndex = {json_text(made, separators=(',', ':'))};\n"


def _behavior(behavior: Behavior, links: Links) -> Entry:
    words = {word for case in behavior.cases for word in case.program.words}
    if not behavior.cases[0].generated:
        words |= {word for case in behavior.cases for word in case.program.members}
    said = " ".join(filter(None, (behavior.pitfall, behavior.folklore, behavior.refuses)))
    said += "".join(f" {name}" for name in kinds_expected(behavior))
    text = plain(behavior.statement)
    about = f"{behavior.id} {plain(said)} {' '.join(sorted(words))}"
    return ("behavior", text, links[behavior.id], "", about)


def _operations(operations: Iterable[Mapping[str, Any]]) -> Iterator[Entry]:
    for item in operations:
        yield (
            "operation",
            item["name"],
            item["where"],
            f"Gives {plain(item['gives'])}.",
            item["id"],
        )
