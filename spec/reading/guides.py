"""Reads the guide of a chapter: what a newcomer reads before its behaviors."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from ..model import Chapter, Step
from ..problems import Problem, nearest
from .fields import Fields, kind_of
from .yaml_reader import Located

REFERENCE = re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]]+))?\]\]")
"""A link to a chapter or a behavior: `[[leaf.user-created]]`, or `[[leaf.user-created|its text]]`."""


def read_guide(located: Located | None, fields: Fields) -> tuple[Step, ...]:
    """The steps of a guide: paragraphs, headings and cases."""
    steps = []
    for item in fields.sequence(located, "guide"):
        if isinstance(item.value, str):
            steps.append(Step("text", _paragraph(item, fields), item.place))
        elif isinstance(item.value, dict) and "heading" in item.value:
            entry = fields.mapping(item, "a heading", ["heading"])
            steps.append(Step("heading", fields.text(entry["heading"], "heading"), item.place))
        elif isinstance(item.value, dict):
            entry = fields.mapping(item, "a step of the guide", ["case"], ["text"])
            text = _paragraph(entry["text"], fields) if "text" in entry else ""
            case = fields.text(entry.get("case"), "case")
            steps.append(Step("case", text, item.place, case))
        else:
            found = f"expected a step of the guide to be text or a mapping, found {kind_of(item)}"
            fields.refuse(item.place, found, "a step is text, `heading: ...` or `case: ...`")
    return tuple(steps)


def _paragraph(located: Located, fields: Fields) -> str:
    return " ".join(fields.text(located, "a paragraph").split())


def broken_references(chapters: Collection[Chapter]) -> Iterator[Problem]:
    """The cases, behaviors and chapters that guides refer to and that do not exist."""
    if not any(chapter.guide for chapter in chapters):
        return
    behaviors = [behavior for chapter in chapters for behavior in chapter.behaviors]
    named = {chapter.name for chapter in chapters} | {behavior.id for behavior in behaviors}
    cases = {case.id for behavior in behaviors for case in behavior.cases}
    for step in (step for chapter in chapters for step in chapter.guide):
        if step.case and step.case not in cases:
            beside = [name for name in cases if name.startswith(step.case.partition("/")[0])]
            message = f"the guide shows the case {step.case!r}, which does not exist"
            yield Problem(step.place, message, nearest(step.case, beside))
        for name, _ in REFERENCE.findall(step.text):
            if name not in named:
                message = f"the guide refers to {name!r}, which is no chapter or behavior"
                yield Problem(step.place, message, nearest(name, named))
