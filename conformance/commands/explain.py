"""`gradspec explain`: all about one chapter, behavior or case, or a feature, word or kind."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import click

from ..text import Heading
from .shared import Code, find, load, say, spec_option

FIRST = 5
"""How many behaviors are named as examples."""
ABOUT = {
    "refuses": "must raise an error", "pitfall": "pitfall", "differs": "PyTorch and its documentation differ",
    "folklore": "often said, and wrong",
}  # fmt: skip
"""What else an entry says, and what that is called."""


@click.command("explain")
@click.argument("identifier", metavar="ID")
@spec_option
def command(identifier: str, spec_root: Path | None) -> None:
    """Explain a chapter, behavior, case, feature, word or kind of error."""
    from gradspec.spec.model import Behavior, Case

    spec = load(spec_root)
    chapters = {chapter.name for chapter in spec.chapters}
    if identifier not in chapters and (lines := meanings(identifier, spec)):
        for line in lines:
            say(line)
        return
    found = find(spec, identifier, chapters=True)
    if isinstance(found, Behavior):
        lines = told(found, found.cases, spec) + laws_about(found.id, spec, spec_root)
    elif isinstance(found, Case):
        lines = told(found.behavior, [found], spec)
    else:
        lines = outlined(found)
    for line in lines:
        say(line)


def meanings(name: str, spec: Any) -> list[str]:
    """The meaning of a feature, a word or a kind, and which cases need it."""
    lines = []
    if name in spec.features:
        lines += [f"{name}: a feature. {spec.features[name].meaning}", ""]
        for role, table in _tables(spec):
            if own := [word for word, item in table.items() if item.feature == name]:
                lines += textwrap.wrap(f"{role}s: {', '.join(own)}", 96, initial_indent="  ",
                                       subsequent_indent="    ", break_on_hyphens=False)  # fmt: skip
        lines += _needed([case for case in spec.cases if name in case.program.features], "need it")
    for role, table in _tables(spec):
        if name in table:
            item = table[name]
            article = "an" if role == "attribute" else "a"
            lines.append(f"{name}: {article} {role} of the feature {item.feature}. {item.meaning}")
    if lines and name not in spec.features:
        used = [case for case in spec.cases if name in {*case.program.words, *case.program.members}]
        lines += _needed(used, "use it")
    if name in spec.kinds:
        kind = spec.kinds[name]
        lines.append(f"{name}: a kind of {kind.shown_sort}. {kind.meaning}")
        lines += [f"  exceptions: {', '.join(kind.exceptions)}"] if kind.exceptions else []
        lines += [f"  message pattern: {pattern}" for pattern in kind.patterns]
        expecting = [case for case in spec.cases if any(
            isinstance(expectation.expected, tuple) and name in expectation.expected
            for expectation in case.expectations)]  # fmt: skip
        lines += _needed(expecting, "expect it")
    return lines


def _tables(spec: Any) -> list[tuple[str, Any]]:
    """The vocabulary's tables, each with the role of its words."""
    words = spec.vocabulary
    return [
        ("function", words.names),
        ("method", words.methods),
        ("attribute", words.attributes),
        ("keyword", words.keywords),
    ]


def _needed(cases: list[Any], what: str) -> list[str]:
    """How many cases need something, and the behaviors that show it first."""
    behaviors = list(dict.fromkeys(case.behavior.id for case in cases))
    more = f", and {len(behaviors) - FIRST} more" if len(behaviors) > FIRST else ""
    named = f": {', '.join(behaviors[:FIRST])}{more}" if behaviors else ""
    return ["", f"  {len(cases)} cases {what}{named}"]


def outlined(chapter: Any) -> list[str]:
    """A chapter's title and introduction, and a line for each of its behaviors."""
    cases = sum(len(behavior.cases) for behavior in chapter.behaviors)
    introduction = " ".join(chapter.introduction.split())
    lines = [Heading(chapter.title), "", *textwrap.wrap(introduction, 96, initial_indent="  ",
                                               subsequent_indent="  ")]  # fmt: skip
    reason = next((behavior.apart for behavior in chapter.behaviors if behavior.apart), "")
    if reason:
        lines += ["", f"  scored separately: {' '.join(reason.split())}"]
    lines += ["", f"  {len(chapter.behaviors)} behaviors, {cases} cases", ""]
    for behavior in chapter.behaviors:
        lines += [Heading(behavior.id), *_wrapped(behavior.statement)]
    return lines


def laws_about(operation: str, spec: Any, root: Path | None) -> list[str]:
    """The laws that hold for an operation with their statements, and those that do not with the
    reason; nothing for what is no operation."""
    from gradspec.spec.catalogue.laws import CHAPTER, laws_of
    from gradspec.spec.reading.folder import ROOT

    laws = laws_of(root or ROOT, spec.sources)
    if laws is None:
        return []
    holding, exempt = [], []
    for law in (behavior for behavior in spec.behaviors if behavior.chapter == CHAPTER):
        cases = [case for case in law.cases if case.name.partition("[")[0] == operation]
        if cases:
            many = f"{len(cases)} case{'s' * (len(cases) != 1)}"
            holding += [f"{law.id} ({many})", *_wrapped(law.statement)]
    for (name, about), reason in laws.exempt.items():
        if about == operation.partition(".")[0] or about.partition("[")[0] == operation:
            form = about.partition("[")[2].rstrip("]")
            exempt += [f"{name}{f' (the form {form})' if form else ''}", *_wrapped(reason)]
    lines = ["", "laws that hold for it", "", *holding] if holding else []
    return lines + (["", "laws that do not hold for it", "", *exempt] if exempt else [])


def _wrapped(text: str, indent: str = "    ") -> list[str]:
    return textwrap.wrap(
        " ".join(text.split()), 96, initial_indent=indent, subsequent_indent=indent
    )


def told(behavior: Any, cases: list[Any], spec: Any) -> list[str]:
    lines: list[str] = [Heading(behavior.id), "", *_wrapped(behavior.statement, "  "), ""]
    lines.append(
        f"  {behavior.strength}, {behavior.level}"
        + (f", since PyTorch {behavior.since}" if behavior.since else "")
    )
    for field, name in ABOUT.items():
        if text := getattr(behavior, field):
            lines += textwrap.wrap(
                f"{name}: {text}", 96, initial_indent="  ", subsequent_indent="    "
            )
    for source in behavior.sources:
        if source.startswith("seed/"):
            continue  # a note that the project grew from, not a document of PyTorch
        entry = spec.sources[source]
        lines.append(
            f"  source: {entry.title}{f', {entry.note}' if entry.note else ''} ({entry.where})"
        )
    for case in cases:
        lines += ["", Heading(case.id), f"  needs: {', '.join(sorted(case.program.features))}", ""]
        lines += [Code(f"    # {name} = {text}") for name, text in case.row]
        lines += [Code(f"    {line}") for line in case.text.rstrip().split("\n")]
    lines += ["", f"{behavior.place}"]
    return lines
