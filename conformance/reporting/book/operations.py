"""What the pages about the catalogue and its laws show, as plain data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gradspec.spec.catalogue.laws import CHAPTER as LAWS
from gradspec.spec.catalogue.laws import laws_of
from gradspec.spec.catalogue.operations import Form, Operation
from gradspec.spec.model import Behavior, Chapter, Spec
from markupsafe import Markup

from ..markup import code
from ..report.operations import AT_POINTS
from .chapters import Chapters
from .formulas import LONGEST, mathml
from .kept import entries_of
from .prose import anchored

Data = dict[str, Any]
SHORT = 36
"""How long a formula is at most that the table of all operations sets as mathematics."""


class Catalogue:
    """The operations of a specification, and the laws that each is held to."""

    def __init__(self, root: Path, spec: Spec, chapters: Chapters) -> None:
        self.spec, self.chapters = spec, chapters
        self.entries = entries_of(root)
        self.behaviors = {item.id: item for item in spec.behaviors}
        self.laws = laws_of(root, spec.sources)
        self.held: dict[str, list[str]] = defaultdict(list)
        for law in self.law_behaviors:
            for name in dict.fromkeys(case.name.partition("[")[0] for case in law.cases):
                self.held[name].append(law.id)

    @property
    def law_behaviors(self) -> Sequence[Behavior]:
        return next((item.behaviors for item in self.spec.chapters if item.name == LAWS), ())

    def group(self, chapter: Chapter) -> Data:
        """A chapter of operations."""
        return {
            "name": chapter.name,
            "title": chapter.title,
            "introduction": chapter.introduction,
            "operations": [self.operation(entry) for entry in self.entries.get(chapter.name, [])],
            "engines": self.chapters.strips.of_chapter(chapter),
        }

    def operation(self, entry: Operation) -> Data:
        """An operation: its formulas, special points and errors, and its laws."""
        behavior = self.behaviors[entry.id]
        sides = [
            self.chapters.head(self.behaviors[entry.id + end])
            for end in AT_POINTS
            if entry.id + end in self.behaviors
        ]
        forms = [_form(form) for form in entry.forms]
        return {
            **self.chapters.head(behavior),
            "name": entry.name,
            "gives": entry.gives,
            "forms": forms,
            "first": _form(entry.forms[0], SHORT),
            "short": entry.name.removeprefix("nn.functional."),
            "derivative": entry.derivative,
            "sides": sides,
            "refusals": [
                {"label": item.label, "call": code(item.call), "kinds": item.kinds}
                for item in entry.refusals
            ],
            "laws": self.held[entry.id],
            "exempt": self.exempt(entry.id),
            "facts": _facts(entry),
            "source": anchored(self.spec.sources[entry.documented])["where"],
        }

    def exempt(self, operation: str) -> list[tuple[str, str, str]]:
        """The laws that do not hold for an operation, or for a form of it, each with the reason."""
        found = []
        for (law, about), reason in (self.laws.exempt if self.laws else {}).items():
            if about == operation.partition(".")[0] or about.partition("[")[0] == operation:
                found.append((law, about.partition("[")[2].rstrip("]"), reason))
        return found

    def law_page(self) -> list[Data]:
        """Each law with its program, and the operations that it does not hold for."""
        entries = {law.id: law for law in self.laws.laws} if self.laws else {}
        exempt: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for (law, about), reason in (self.laws.exempt if self.laws else {}).items():
            exempt[law].append((about, reason))
        return [
            {
                **self.chapters.head(behavior),
                "program": code(entries[behavior.id].program),
                "cases": len(behavior.cases),
                "operations": len({case.name.partition("[")[0] for case in behavior.cases}),
                "example": {"id": behavior.cases[0].id, "program": code(behavior.cases[0].text)},
                "exempt": exempt[behavior.id],
            }
            for behavior in self.law_behaviors
        ]


def _form(form: Form, longest: int = LONGEST) -> Data:
    return {
        "label": form.label,
        "call": code(form.call or form.in_place),
        "value": Markup(mathml(form.value, longest)),
        "gradients": [
            (name, Markup(mathml(text, longest)) if text else "")
            for name, text in form.gradient.items()
        ],
        "none": form.derivative == "none",
        "refused": form.derivative == "refused",
    }


def _facts(entry: Operation) -> list[tuple[str, Markup]]:
    """What else an entry says of the first form, in pairs of a name and a text."""
    form = entry.forms[0]
    facts = []
    if form.method:
        facts.append(("method", _coded(form.method)))
    if form.in_place:
        facts.append(("in place", _coded(form.in_place)))
    if form.view is not None:
        shares = (
            "shares the storage of its first operand" if form.view else "has storage of its own"
        )
        facts.append(("result", Markup(shares)))
    if form.saves is not None:
        named = {"out": "the result"}
        saved = [named.get(name) or _coded(name) for name in form.saves]
        facts.append(
            ("saves for backward", Markup(", ").join(saved) if saved else Markup("nothing"))
        )
    return facts


def _coded(text: str) -> Markup:
    return Markup('<code class="hl">{}</code>').format(code(text))


def rows_of(groups: Sequence[Mapping[str, Any]]) -> int:
    """How many operations some groups have."""
    return sum(len(group["operations"]) for group in groups)
