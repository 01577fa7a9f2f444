"""The values that the specification is made of. Plain data: no loading, no judging, no engine."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

from .problems import Place
from .program.program import Expectation, Program
from .program.vocabulary import Kind, Vocabulary

Level = Literal["documented", "implied", "observed"]
Strength = Literal["MUST", "SHOULD", "MAY"]


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


USUAL_TOLERANCE = 16.0
"""In machine epsilons."""


def widened(factor: float) -> float:
    """How many times wider than usual a tolerance is: at least 1, for a narrower one too."""
    return max(1.0, factor / USUAL_TOLERANCE)


@dataclass(frozen=True)
class Case:
    """One example that shows a behavior: a program, and what must be observed when it runs."""

    id: str
    behavior: Behavior = field(repr=False, compare=False)
    name: str
    text: str = field(repr=False)
    place: Place
    program: Program = field(repr=False, compare=False)
    stated: tuple[Expectation, ...] | bytes = field(repr=False, compare=False)
    """The expectations; in a case from a cache their pickle, since most commands need only a few."""
    first_line: int = 0
    """The line of the file on which the program's text begins."""
    tolerance_factor: float = USUAL_TOLERANCE
    tolerance_reason: str = ""
    row: tuple[tuple[str, str], ...] = ()
    """The values of the case's table: pairs of a name and an expression."""
    generated: bool = False
    """Whether the program is generated from an operation's entry, so that it is in no file."""

    @property
    def expectations(self) -> tuple[Expectation, ...]:
        return _unpickled(self.stated) if isinstance(self.stated, bytes) else self.stated

    def __getstate__(self) -> dict[str, Any]:
        """The pickled state, with the expectations pickled by themselves."""
        state = {**vars(self)}
        if not isinstance(self.stated, bytes):
            fields = [tuple(vars(expectation).values()) for expectation in self.stated]
            state["stated"] = pickle.dumps(fields, protocol=5)
        return state

    @property
    def where(self) -> str:
        """The file and line of its entry, from the specification's folder's parent."""
        return f"{_shown_file(self.place.file)}:{self.place.line}"


@lru_cache(maxsize=16)  # those of all cases would be a million objects
def _unpickled(stated: bytes) -> tuple[Expectation, ...]:
    return tuple(Expectation(*fields) for fields in pickle.loads(stated))


@cache
def _shown_file(file: str) -> str:
    path = Path(file)
    return f"{path.parent.parent.name}/{path.parent.name}/{path.name}"


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
    section: str = ""
    """The heading of the part of the chapter that begins with this behavior."""
    apart: str = ""
    """Why the whole chapter is scored separately, if it is."""
    cases: list[Case] = field(default_factory=list, repr=False)

    @property
    def scored_as_must(self) -> bool:
        """Whether a failure here counts against the engine's main score."""
        return self.strength == "MUST" and self.level != "observed" and not self.apart


@dataclass(frozen=True)
class Step:
    """A step of a chapter's guide: a paragraph, a heading, or a case with what to see in it."""

    kind: Literal["text", "heading", "case"]
    text: str
    place: Place
    case: str = ""
    """The id of the case."""


@dataclass(frozen=True)
class Chapter:
    """A file of behaviors that belong together."""

    name: str
    title: str
    introduction: str
    behaviors: tuple[Behavior, ...]
    part: str = ""
    """The title of the part of the specification that begins with this chapter."""
    guide: tuple[Step, ...] = ()
    """What a newcomer reads first."""


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

    @cached_property
    def behaviors(self) -> tuple[Behavior, ...]:
        return tuple(behavior for chapter in self.chapters for behavior in chapter.behaviors)

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        return tuple(case for behavior in self.behaviors for case in behavior.cases)

    @cached_property
    def ids(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """What a list of failures may name, a `case` or a `behavior`, and the cases that it stands for."""
        return {
            "case": {case.id: (case.id,) for case in self.cases},
            "behavior": {each.id: tuple(case.id for case in each.cases) for each in self.behaviors},
        }
