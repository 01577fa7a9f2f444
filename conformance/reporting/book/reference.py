"""The pages at the end of the book: folklore, the glossary, and the index of words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from gradspec.spec.model import Behavior, Spec

from .chapters import anchor_of, is_generated
from .prose import Links, linked

Data = dict[str, Any]
FIRST = 6
"""How many behaviors are named for a word or a kind."""
EXPECTS, KIND = re.compile(r"\b(?:raises|warns)\((.*)\)"), re.compile(r'"([a-z-]+)"')
IN_PART, WRONG = "Right only in part.", "Wrong."


def folklore_of(spec: Spec) -> list[Data]:
    """What is often said and is wrong, or right only in part, with the behavior that says what is true."""
    told: dict[str, Data] = {}
    for behavior in spec.behaviors:
        if behavior.folklore:
            _add(told, behavior.folklore, behavior, "")
        for name in behavior.sources:
            note = spec.sources[name].note if name.startswith("seed/") else ""
            for verdict in (IN_PART, WRONG):
                if note.endswith(verdict) and not behavior.folklore:
                    _add(told, note.removesuffix(verdict).strip(), behavior, verdict.rstrip("."))
    return list(told.values())


def _add(told: dict[str, Data], saying: str, behavior: Behavior, verdict: str) -> None:
    saying = re.sub(r"^It is often (said|thought) that ", "", saying).rstrip(".")
    if saying.split()[0].isalpha():  # a name such as `clone()` stays as it is
        saying = saying[:1].upper() + saying[1:]
    entry = told.setdefault(saying, {"saying": saying, "verdict": "", "behaviors": []})
    entry["verdict"] = entry["verdict"] or verdict
    entry["behaviors"].append(behavior)


@lru_cache(maxsize=2)
def _table(name: str) -> Any:
    import yaml

    return yaml.safe_load(Path(__file__).with_name(name).read_text("utf-8"))


def _terms() -> list[Data]:
    found: list[Data] = _table("terms.yaml")
    return found


def glossary_of(links: Links, titles: Mapping[str, str]) -> list[Data]:
    """The terms, in alphabetical order, with links to where each is explained."""
    shown = []
    for entry in sorted(_terms(), key=lambda entry: str(entry["term"]).lower()):
        shown.append({
            "term": entry["term"], "id": anchor_of(entry["term"]), "also": entry.get("also", []),
            "meaning": linked(entry["meaning"], links, titles), "plain": entry["meaning"],
            "see": [(name, titles.get(name, name), links[name]) for name in entry.get("see", [])
                    if name in links],
        })  # fmt: skip
    return shown


def synonyms() -> list[list[str]]:
    """Groups of words that mean the same to the search."""
    return [[entry["term"], *entry.get("also", [])] for entry in _terms() if entry.get("also")]


def kinds_of(spec: Spec) -> list[Data]:
    """The kinds of errors and warnings, with the behaviors that expect them."""
    expecting: dict[str, dict[str, Behavior]] = defaultdict(dict)
    messages: Mapping[str, str] = _table("messages.yaml")
    written = [chapter for chapter in spec.chapters if not is_generated(chapter)]
    for behavior in (item for chapter in written for item in chapter.behaviors):
        for name in kinds_expected(behavior):
            expecting[name][behavior.id] = behavior
    return [
        {
            "kind": kind,
            "id": f"kind-{kind.name}",
            "message": messages.get(kind.name, ""),
            "behaviors": list(expecting[kind.name].values())[:FIRST],
            "more": max(0, len(expecting[kind.name]) - FIRST),
        }
        for kind in spec.kinds.values()
    ]


def kinds_expected(behavior: Behavior) -> list[str]:
    """The kinds of errors and warnings that a behavior's programs expect."""
    texts = dict.fromkeys(case.text for case in behavior.cases)
    expected = [
        name for text in texts for line in EXPECTS.findall(text) for name in KIND.findall(line)
    ]
    return list(dict.fromkeys(expected))


def words_of(spec: Spec) -> list[Data]:
    """Every word of the vocabulary, with the behaviors that are about it."""
    users: dict[str, dict[str, Behavior]] = defaultdict(dict)
    for chapter in spec.chapters:
        if is_generated(chapter):
            continue
        for behavior in chapter.behaviors:
            for case in behavior.cases:
                for name in {*case.program.words, *case.program.members}:
                    users[name][behavior.id] = behavior
    shown = []
    for table in spec.vocabulary.tables:
        for word in table.values():
            found = sorted(users[word.name].values(), key=lambda item: -_about(word.name, item))
            shown.append(
                {"word": word, "behaviors": found[:FIRST], "more": max(0, len(found) - FIRST)}
            )
    return sorted(shown, key=lambda entry: (entry["word"].name.lower(), entry["word"].role))


def _about(word: str, behavior: Behavior) -> int:
    """How much a behavior that uses a word is about it: 3 if its statement has the word."""
    last = word.rpartition(".")[2]
    named = re.search(rf"(?<!\w){re.escape(last)}(?!\w)", behavior.statement)
    return 3 * bool(named) + (last.replace("_", "-").strip("-") in behavior.id)
