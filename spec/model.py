"""The values that the specification is made of. Plain data: no loading, no judging, no engine."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import CodeType
from typing import Any, Literal, Protocol

from .problems import Place

Level = Literal["documented", "implied", "observed"]
Strength = Literal["MUST", "SHOULD", "MAY"]
Role = Literal["function", "class", "context", "value", "method", "attribute", "keyword"]


@dataclass(frozen=True, slots=True)
class Word:
    """One name that a program may use, the feature it belongs to, and what it means."""

    name: str
    role: Role
    feature: str
    meaning: str
    own: bool = True
    """Whether gradspec's own vocabulary has it in the same role; a folder may bring others."""


@dataclass(frozen=True)
class Vocabulary:
    """Every name that a program may use. `names` holds what stands on its own (functions, classes,
    contexts, values; dotted names included); methods, attributes and keywords need an owner."""

    names: Mapping[str, Word]
    methods: Mapping[str, Word]
    attributes: Mapping[str, Word]
    keywords: Mapping[str, Word]

    @property
    def tables(self) -> tuple[Mapping[str, Word], ...]:
        return self.names, self.methods, self.attributes, self.keywords

    @cached_property
    def strangers(self) -> tuple[str, ...]:
        """The names that gradspec's own vocabulary does not have."""
        found = {word.name for table in self.tables for word in table.values() if not word.own}
        return tuple(sorted(found))

    def beside(self, ours: Vocabulary) -> Vocabulary:
        """The same words, each with whether `ours` has it in the same role."""
        marked = [
            {
                name: replace(word, own=name in known and known[name].role == word.role)
                for name, word in table.items()
            }
            for table, known in zip(self.tables, ours.tables, strict=True)
        ]
        return Vocabulary(*marked)

    @cached_property
    def namespaces(self) -> frozenset[str]:
        """The first parts of dotted names, such as `autograd` and `nn`."""
        return frozenset(name.split(".")[0] for name in self.names if "." in name)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of refusal or warning: what it means, what a good message must tell, and the wordings
    by which it is recognised in an engine that has no adapter of its own."""

    name: str
    sort: Literal["refusal", "warning"]
    meaning: str
    must_tell: str
    exceptions: tuple[str, ...]
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Feature:
    """A part of an engine that may be absent without fault."""

    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Profile:
    """A named set of features, such as `core`."""

    name: str
    meaning: str
    features: frozenset[str]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a statement can be looked up."""

    name: str
    title: str
    where: str
    note: str = ""


Relation = Literal[
    "equal", "different", "less", "at most", "greater", "at least", "contains", "lacks",
    "is", "is not", "refused", "may be refused", "warned", "quiet",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the judge compares with observation number `index` of a case.

    `expected` is a plain value (see `values.py`), or for a block a tuple of kinds; where `pair` is
    true the engine reports both sides and `expected` is unused. `within` is the index of the
    `may_raise` block around it, which if refused leaves it unreached; -1 if there is none.
    """

    index: int
    relation: Relation
    expected: Any
    pair: bool
    line: int
    source: str
    within: int = -1


class Forms(Protocol):
    """The forms of several programs, by their ids; one is missing where it cannot be made."""

    @property
    def trees(self) -> Mapping[str, ast.Module]: ...

    @property
    def code(self) -> Mapping[str, CodeType]: ...

    @property
    def mediated_code(self) -> Mapping[str, CodeType]: ...

    @property
    def json(self) -> Mapping[str, dict[str, Any]]: ...


@dataclass(frozen=True)
class Program:
    """What an engine runs: no trace of what is expected of it.

    `words` are the vocabulary names that it takes from the engine, `members` the methods,
    attributes and keywords it uses, `features` what all these need. `strangers` are those of its
    words and members that gradspec's own vocabulary does not have. The Python form is `code`, one
    function `program(observe, ended, recorded, run_in_thread, trace, traced)`; `json` is the form
    for other languages. `file` is the chapter's path, whose line numbers the code has.
    """

    id: str
    file: str
    words: tuple[str, ...]
    members: frozenset[str]
    features: frozenset[str]
    strangers: tuple[str, ...] = ()
    forms: Forms | None = field(default=None, repr=False, compare=False)
    """Where the chapter's forms are made and kept; None for a program on its own."""

    @classmethod
    def of_tree(
        cls,
        tree: ast.Module,
        id: str,
        file: str,
        words: tuple[str, ...],
        members: frozenset[str],
        features: frozenset[str],
        strangers: tuple[str, ...] = (),
    ) -> Program:
        """A program of which the lowered tree is at hand."""
        program = cls(id, file, words, members, features, strangers)
        program.__dict__["tree"] = tree
        return program

    @cached_property
    def tree(self) -> ast.Module:
        """The lowered tree. Read again from the chapter where the program came from a cache."""
        assert self.forms is not None, "a program has a tree, or forms to take it from"
        return self.forms.trees[self.id]

    @cached_property
    def code(self) -> CodeType:
        """The function's code, whose line numbers are those of the YAML file."""
        kept = self.forms.code.get(self.id) if self.forms else None
        return kept or self.compiled(mediated=False)

    @cached_property
    def mediated_code(self) -> CodeType:
        """As `code`, with each attribute and method looked up through the adapter."""
        kept = self.forms.mediated_code.get(self.id) if self.forms else None
        return kept or self.compiled(mediated=True)

    def compiled(self, mediated: bool) -> CodeType:
        """The function's code, compiled from the tree."""
        from .program.python_form import compile_program

        return compile_program(self.tree, self.file, mediated)

    def python(self, mediated: bool) -> tuple[str, list[int]]:
        """The function as text, and for each of its lines the line of the YAML file."""
        from .program.python_form import program_source

        return program_source(self.tree, mediated)

    @cached_property
    def json(self) -> dict[str, Any]:
        """The form for engines in other languages; its schema is `schema/program.json`."""
        kept = self.forms.json.get(self.id) if self.forms else None
        return kept or self.written()

    def written(self) -> dict[str, Any]:
        """The JSON form, written from the tree."""
        from .program.json_form import program_json

        return program_json(self)

    def __getstate__(self) -> dict[str, Any]:
        """What is kept of a program: not its forms, which are made when they are asked for."""
        kept = ("id", "file", "words", "members", "features", "strangers")
        return {name: self.__dict__[name] for name in kept}


@dataclass(frozen=True)
class Case:
    """One example that shows a behavior: a program, and what must be observed when it runs."""

    id: str
    behavior: Behavior = field(repr=False, compare=False)
    name: str
    text: str = field(repr=False)
    place: Place
    program: Program = field(repr=False, compare=False)
    expectations: tuple[Expectation, ...] = field(repr=False)
    first_line: int = 0
    """The line of the file on which the program's text begins."""
    tolerance_factor: float = 16.0
    tolerance_reason: str = ""
    row: tuple[tuple[str, str], ...] = ()
    """What the case's table puts in the place of its names: pairs of a name and an expression."""
    generated: bool = False
    """Whether the program is made of an operation's entry, so that it stands in no file."""

    @property
    def where(self) -> str:
        """The file and line of its entry, from the specification's folder's parent."""
        path = Path(self.place.file)
        return f"{path.parent.parent.name}/{path.parent.name}/{path.name}:{self.place.line}"


@dataclass(eq=False)
class Behavior:
    """One normative sentence, where it is documented, and the cases that show it."""

    id: str
    chapter: str
    statement: str
    strength: Strength
    level: Level
    sources: tuple[str, ...]
    place: Place
    refuses: str = ""
    pitfall: str = ""
    differs: str = ""
    folklore: str = ""
    since: str = ""
    until: str = ""
    needs: tuple[str, ...] = ()
    apart: str = ""
    """Why the whole chapter is scored apart, if it is."""
    cases: list[Case] = field(default_factory=list, repr=False)

    @property
    def scored_as_must(self) -> bool:
        """Whether a failure here counts against the engine's main score."""
        return self.strength == "MUST" and self.level != "observed" and not self.apart


@dataclass(frozen=True)
class Chapter:
    """A file of behaviors that belong together."""

    name: str
    title: str
    introduction: str
    behaviors: tuple[Behavior, ...]


@dataclass(frozen=True)
class Spec:
    """The whole specification."""

    chapters: tuple[Chapter, ...]
    vocabulary: Vocabulary
    features: Mapping[str, Feature]
    profiles: Mapping[str, Profile]
    kinds: Mapping[str, Kind]
    sources: Mapping[str, Source]
    retired: Mapping[str, str]
    digest: str

    @property
    def behaviors(self) -> list[Behavior]:
        return [behavior for chapter in self.chapters for behavior in chapter.behaviors]

    @property
    def cases(self) -> list[Case]:
        return [case for behavior in self.behaviors for case in behavior.cases]
