"""The clause ledger: which sentence of PyTorch's documentation is covered by which behavior.

`ledger.yaml` identifies each normative clause of its pages by its heading and a hash of its text
(defined in `conformance/checking/documentation.py`), so that no text is copied and yet every change
is detected. A clause is covered by behaviors, or waived with a reason. Compared with the
documentation itself, the ledger shows which behaviors cite a clause that is gone, and which clauses
are new.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from ..model import Spec
from ..problems import Place, Problem, SpecError, nearest
from ..reading.fields import Fields
from ..reading.yaml_reader import Located, read_yaml
from .kept import Kept

FILE = "ledger.yaml"
PageKind = Literal["docstring", "file"]
_KINDS: tuple[PageKind, ...] = ("docstring", "file")
_VERSION = r"[0-9]+\.[0-9]+"
_HASH = r"[0-9a-f]{16}"
_OBJECT = r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+"


@dataclass(frozen=True)  # no slots, so that unpickling it runs no Python code
class Clause:
    """One sentence of a page: `covered` by behaviors, or else `waived` for a reason."""

    heading: str
    hash: str
    says: str
    covered: tuple[str, ...]
    waived: str
    place: Place

    @property
    def key(self) -> tuple[str, str]:
        return self.heading, self.hash


@dataclass(frozen=True)
class Page:
    """A page that the specification claims to cover: all of it, or only the `sections` named.

    `where` is a documented object (`torch.Tensor.backward`) or a file's path in the sources. A
    section of a docstring is one of its headings. `revision` is the one at which a file was read;
    a docstring has none, because it is read from the installed engine.
    """

    name: str
    kind: PageKind
    where: str
    revision: str
    sections: tuple[str, ...]
    clauses: tuple[Clause, ...]
    place: Place

    @property
    def covered(self) -> int:
        return sum(1 for clause in self.clauses if clause.covered)

    @property
    def waived(self) -> int:
        return len(self.clauses) - self.covered


@dataclass(frozen=True)
class Ledger:
    """Every page, and the version of PyTorch that they document."""

    version: str
    pages: tuple[Page, ...]

    @property
    def resting(self) -> Mapping[str, list[Clause]]:
        """The clauses on which each behavior rests, by the behavior's id."""
        found: dict[str, list[Clause]] = defaultdict(list)
        for page in self.pages:
            for clause in page.clauses:
                for behavior in clause.covered:
                    found[behavior].append(clause)
        return found

    def documents(self, version: str) -> bool:
        """Whether the ledger was written for this version, such as `2.13.0+cpu`."""
        return version == self.version or version.startswith(
            (f"{self.version}.", f"{self.version}+")
        )


def read_ledger(root: Path, spec: Spec) -> Ledger | None:
    """The ledger of a specification folder, or None if it has none.

    Raises `SpecError`, which lists every problem found with file, line, column and a hint.
    """
    path = root / FILE
    if not path.exists():
        return None

    def read() -> Ledger:
        reader = _Reader(spec)
        ledger = reader.ledger(read_yaml(path))
        if reader.fields.problems:
            raise SpecError(reader.fields.problems)
        return ledger

    names = repr([sorted(behavior.id for behavior in spec.behaviors), sorted(spec.retired.items())])
    return Kept(root).found("ledger", [str(path), path.read_bytes(), names], read)


def documented_without_a_clause(spec: Spec, ledger: Ledger) -> Iterator[Problem]:
    """Behaviors of level `documented` that no clause of the ledger supports."""
    resting = ledger.resting
    for behavior in spec.behaviors:
        if behavior.level == "documented" and behavior.id not in resting:
            yield Problem(
                behavior.place,
                "the level is `documented`, but no clause of ledger.yaml is covered by it",
                "name the behavior under the clause that says so, or lower its level",
                behavior.id,
            )


class _Reader:
    def __init__(self, spec: Spec) -> None:
        self.fields = Fields([])
        self.retired = spec.retired
        self.behaviors = {behavior.id for behavior in spec.behaviors}

    def ledger(self, located: Located) -> Ledger:
        top = self.fields.mapping(located, FILE, ["pytorch", "pages"])
        version = self.fields.text(top.get("pytorch"), "pytorch")
        if version:
            self.fields.pattern(version, top["pytorch"].place, "the version", _VERSION, '"2.13"')
        pages: list[Page] = []
        first: dict[str, Place] = {}
        for item in self.fields.sequence(top.get("pages"), "pages"):
            page = self.page(item)
            if page.where and page.where in first:
                message = f"the page {page.where!r} occurs twice; first at {first[page.where]}"
                self.fields.refuse(page.place, message, "merge the two")
            first.setdefault(page.where, page.place)
            pages.append(page)
        return Ledger(version, tuple(pages))

    def page(self, located: Located) -> Page:
        fields = self.fields
        entry = fields.mapping(
            located, "a page", ["name", "kind", "where", "clauses"], ["revision", "sections"]
        )
        kind = fields.choice(entry.get("kind"), "kind", _KINDS, "docstring")
        where = fields.text(entry.get("where"), "where")
        if where and kind == "docstring":
            fields.pattern(
                where, entry["where"].place, "the object", _OBJECT, "torch.Tensor.backward"
            )
            if "revision" in entry:
                hint = "remove it: docstrings are read from the installed engine"
                fields.refuse(located.keys["revision"], "a docstring has no 'revision'", hint)
        if entry and kind == "file":
            for key in ("revision", "sections"):
                if key not in entry:
                    fields.refuse(
                        located.place, f"a page that is a file is missing the key {key!r}"
                    )
        sections = fields.texts(entry.get("sections"), "sections")
        names = [name for name, _ in sections]
        clauses: list[Clause] = []
        first: dict[tuple[str, str], Place] = {}
        for item in fields.sequence(entry.get("clauses"), "clauses"):
            clause = self.clause(item)
            if clause.hash and clause.key in first:
                message = f"the clause {clause.hash} occurs twice; first at {first[clause.key]}"
                fields.refuse(clause.place, message, "merge the two")
            first.setdefault(clause.key, clause.place)
            if sections and clause.heading and clause.heading not in names:
                message = f"the section {clause.heading!r} is not among the page's `sections`"
                fields.refuse(clause.place, message, nearest(clause.heading, names))
            clauses.append(clause)
        return Page(
            fields.text(entry.get("name"), "name"),
            "file" if kind == "file" else "docstring",
            where,
            fields.text(entry.get("revision"), "revision"),
            tuple(names),
            tuple(clauses),
            located.place,
        )

    def clause(self, located: Located) -> Clause:
        fields = self.fields
        entry = fields.mapping(
            located, "a clause", ["heading", "hash", "says"], ["covered", "waived"]
        )
        digest = fields.text(entry.get("hash"), "hash")
        if digest:
            fields.pattern(digest, entry["hash"].place, "the hash", _HASH, '"0123456789abcdef"')
        says = fields.text(entry.get("says"), "says")
        if "\n" in says:
            fields.refuse(entry["says"].place, "expected one line, found several", "shorten it")
        misspelt = set(entry) - {
            "heading",
            "hash",
            "says",
            "covered",
            "waived",
        }  # has been reported already
        if entry and not misspelt and ("covered" in entry) == ("waived" in entry):
            both = "covered" in entry
            message = "expected a clause to be covered or waived, found " + (
                "both" if both else "neither"
            )
            hint = "remove one of the two" if both else "name behaviors, or say why there are none"
            fields.refuse(located.keys["waived"] if both else located.place, message, hint)
        covered = self.covered(entry["covered"]) if "covered" in entry else ()
        return Clause(
            fields.text(entry.get("heading"), "heading"),
            digest if re.fullmatch(_HASH, digest) else "",
            says,
            covered,
            fields.text(entry.get("waived"), "waived"),
            located.place,
        )

    def covered(self, located: Located) -> tuple[str, ...]:
        names = self.fields.texts(located, "covered")
        if not names and located.value == []:
            hint = "name behaviors, or waive the clause"
            self.fields.refuse(located.place, "expected behaviors, found none", hint)
        seen: set[str] = set()
        for name, place in names:
            if name in self.retired:
                message = f"the behavior {name!r} was retired: {self.retired[name]}"
                self.fields.refuse(place, message)
            elif name and name not in self.behaviors:
                hint = nearest(name, self.behaviors)
                self.fields.refuse(place, f"the behavior {name!r} is not known", hint)
            if name and name in seen:
                self.fields.refuse(place, f"the behavior {name!r} is named twice", "remove one")
            seen.add(name)
        return tuple(name for name, _ in names)


class Sentence(Protocol):
    """The part of a sentence that the ledger uses."""

    @property
    def heading(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def hash(self) -> str: ...
    @property
    def is_normative(self) -> bool: ...


class Documentation(Protocol):
    """Somewhere that pages can be read from."""

    @property
    def version(self) -> str:
        """The version of PyTorch that is described; empty if unknown."""

    def sentences(self, where: str) -> Sequence[Sentence] | None:
        """The sentences of a page, or None if the page does not exist."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which a ledger and the documentation disagree."""

    sort: Literal["no page", "gone", "moved", "new"]
    page: Page
    problem: Problem


def differences(
    ledger: Ledger, documentation: Documentation, kind: PageKind
) -> Iterator[Difference]:
    """Where the pages of one kind differ from the ledger."""
    for page in ledger.pages:
        if page.kind != kind:
            continue
        sentences = documentation.sentences(page.where)
        if sentences is None:
            yield Difference(
                "no page", page, Problem(page.place, f"{page.where} is no longer documented")
            )
            sentences = ()
        yield from _gone(page, sentences)
        yield from _new(page, sentences)


def _gone(page: Page, sentences: Sequence[Sentence]) -> Iterator[Difference]:
    keys = {(sentence.heading, sentence.hash) for sentence in sentences}
    known = {clause.key for clause in page.clauses}
    headings = {
        sentence.hash: sentence.heading
        for sentence in sentences
        if (sentence.heading, sentence.hash) not in known
    }
    for clause in page.clauses:
        if clause.key in keys:
            continue
        if clause.hash in headings:
            message = f"{page.name}: the clause {clause.says!r} is under another heading now"
            hint = f"heading: {headings[clause.hash]}"
            yield Difference("moved", page, Problem(clause.place, message, hint))
            continue
        message = f"{page.name}: the clause {clause.says!r} is gone or was reworded"
        hint = f"cited by: {', '.join(clause.covered)}" if clause.covered else "it was waived"
        yield Difference("gone", page, Problem(clause.place, message, hint))


def _new(page: Page, sentences: Sequence[Sentence]) -> Iterator[Difference]:
    hashes = {clause.hash for clause in page.clauses}
    for sentence in sentences:
        if page.sections and sentence.heading not in page.sections:
            continue
        if sentence.is_normative and sentence.hash not in hashes:
            message = (
                f"{page.name}: a normative clause that the ledger does not know: {sentence.text}"
            )
            heading = sentence.heading.replace('"', '\\"')
            hint = f'heading: "{heading}", hash: "{sentence.hash}"'
            yield Difference("new", page, Problem(page.place, message, hint))
