"""What a page about a chapter shows, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from gradspec.spec.model import Behavior, Case, Chapter, Spec
from markupsafe import Markup

from ..drawing.kept import drawings_of
from ..markup import code
from .engines import Strips
from .prose import Links, anchored, linked

Data = dict[str, Any]
ROWS = 12
"""A table with more rows is folded."""


class Chapters:
    """Makes the data of chapters."""

    def __init__(self, spec: Spec, links: Links, strips: Strips) -> None:
        self.spec, self.links, self.strips = spec, links, strips
        self.drawings = drawings_of(spec)
        self.titles = {chapter.name: chapter.title for chapter in spec.chapters}

    def chapter(self, chapter: Chapter, cases: Mapping[str, Case]) -> Data:
        """A chapter: its guide, and its behaviors in sections."""
        sections: list[Data] = []
        for behavior in chapter.behaviors:
            if behavior.section or not sections:
                title = behavior.section
                sections.append({"title": title, "id": anchor_of(title), "behaviors": []})
            sections[-1]["behaviors"].append(self.behavior(behavior))
        return {
            "name": chapter.name,
            "title": chapter.title,
            "introduction": chapter.introduction,
            "guide": [self.step(step, cases) for step in chapter.guide],
            "apart": next((item.apart for item in chapter.behaviors if item.apart), ""),
            "sections": sections,
            "cases": sum(len(item.cases) for item in chapter.behaviors),
            "engines": self.strips.of_chapter(chapter),
        }

    def step(self, step: Any, cases: Mapping[str, Case]) -> Data:
        shown: Data = {"kind": step.kind, "text": linked(step.text, self.links, self.titles)}
        if step.kind == "heading":
            shown["id"] = anchor_of(step.text)
        if step.case:
            case = cases[step.case]
            shown |= {"program": code(case.text), "drawing": Markup(self.drawings.get(case.id, ""))}
            shown |= {"id": case.id, "where": self.links[case.behavior.id]}
        return shown

    def behavior(self, behavior: Behavior) -> Data:
        """A behavior with the programs of its cases, of which the first is drawn."""
        programs = self.programs(behavior)
        return {
            **self.head(behavior),
            "programs": programs,
            "drawing": Markup(self.drawings.get(behavior.cases[0].id, "")),
        }

    def head(self, behavior: Behavior) -> Data:
        """What is said about a behavior."""
        named = (
            "id",
            "statement",
            "level",
            "strength",
            "refuses",
            "pitfall",
            "differs",
            "folklore",
        )
        return {
            **{name: getattr(behavior, name) for name in (*named, "since", "until")},
            "where": self.links[behavior.id],
            "needs": [(name, self.links[name]) for name in behavior.needs if name in self.links],
            "sources": [
                anchored(self.spec.sources[name])
                for name in behavior.sources
                if not name.startswith("seed/")
            ],
            "engines": self.strips.of_behavior(behavior),
        }

    def programs(self, behavior: Behavior) -> list[Data]:
        """The programs of a behavior; the rows of a table share one."""
        made = []
        for name, group in groupby(behavior.cases, key=lambda case: case.name):
            cases = list(group)
            rows = [_row(case) for case in cases] if cases[0].row else []
            shared = len(rows) > 1 and len({case.text for case in cases}) == 1
            made.append({
                "name": name, "id": cases[0].id.partition("[")[0] if rows else cases[0].id,
                "program": code(cases[0].text), "rows": rows, "folded": len(rows) > ROWS,
                "shared": shared, "count": len(cases),
            })  # fmt: skip
        return made


def _row(case: Case) -> Data:
    label = case.id.partition("[")[2].rstrip("]")
    return {
        "id": case.id,
        "label": label,
        "values": [(name, code(text)) for name, text in case.row],
    }


def anchor_of(title: str) -> str:
    """A heading as the end of an address."""
    return "-".join("".join(c if c.isalnum() else " " for c in title.lower()).split())


def pages_in_order(chapters: Sequence[Chapter]) -> tuple[list[Chapter], list[Chapter]]:
    """The chapters that people wrote, and those that are generated from the catalogue."""
    written = [item for item in chapters if not is_generated(item)]
    return written, [item for item in chapters if is_generated(item)]


def is_generated(chapter: Chapter) -> bool:
    """Whether a chapter is made from entries of the catalogue, or from laws."""
    return all(case.generated for behavior in chapter.behaviors for case in behavior.cases[:1])
