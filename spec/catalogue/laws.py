"""Reads the laws: statements that hold for every operation, each with a program over its samples.

A law's program is written in the program language, with words in capitals that stand for what the
entry of an operation says (`WORDS` in law_words.py).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..model import USUAL_TOLERANCE, Level, Source, Strength
from ..problems import Place, Problem, nearest
from ..reading.fields import Fields
from ..reading.yaml_reader import Located, read_yaml_text
from .layouts import LAYOUTS

CHAPTER = "laws"
FILE = "laws.yaml"
REQUIRED = ("id", "statement", "level", "program")
OPTIONAL = (
    "sources", "pitfall", "forms", "operands", "cotangent", "dtype", "scale", "only", "operations", "tolerance",
    "differs",
)  # fmt: skip
LEVELS: tuple[Level, ...] = ("documented", "implied", "observed")
DTYPES = ("", "float16", "bfloat16", "float32", "float64")
CONDITIONS = (
    "elementwise", "not a view", "saves something", "saves the result", "same operands",
    "float result", "a copy", "slices", "number", "takes out", "makes nothing",
)  # fmt: skip
FORMS = ("all", "first", "first of each kind")
ONE_TENSOR = "one tensor"
"""The layout in which one tensor is passed as every operand."""
INTEGERS = "integers"
"""Not a layout: integers as every floating operand."""


@dataclass(frozen=True)
class Law:
    """One statement about every operation, and the program that tests it on one.

    `operands` and `cotangent` name the layout of the tensors, `dtype` their dtype, `scale` a factor of the
    samples, `only` the conditions on an operation, and `operations` the chapters and operations that it is about,
    by default all. `forms` says which forms of an operation have a case: one that stands for all, where the law
    is about the engine more than about the form, or one of each kind.
    """

    id: str
    place: Place
    statement: str
    strength: Strength
    level: Level
    sources: tuple[str, ...]
    program: str
    operands: str = "plain"
    cotangent: str = "plain"
    dtype: str = ""
    scale: float = 1.0
    only: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    forms: str = "all"
    factor: float = USUAL_TOLERANCE
    reason: str = ""
    pitfall: str = ""
    differs: str = ""


@dataclass(frozen=True)
class Laws:
    """The file of laws. `exempt` has pairs of a law and a chapter of the catalogue, an operation, or a
    form of one with its label in brackets, with the reason why the law does not hold there; `places`
    has where each is said. `reference_passes` are the pairs that only other engines need."""

    title: str
    introduction: str
    laws: tuple[Law, ...]
    exempt: Mapping[tuple[str, str], str]
    places: Mapping[tuple[str, str], Place]
    reference_passes: frozenset[tuple[str, str]] = frozenset()

    def reason(self, law: str, operation: str, about: str) -> str:
        """Why a law does not hold for an operation, or for a form of it; "" where it holds."""
        names = (about, operation, operation.partition(".")[0])
        return next((why for name in names if (why := self.exempt.get((law, name)))), "")


def laws_of(root: Path, sources: Mapping[str, Source]) -> Laws | None:
    """The laws of a specification that loads; None if it has none."""
    path = root / FILE
    return read_laws(path.read_bytes(), path, sources, []) if path.is_file() else None


def read_laws(
    raw: bytes, path: Path, sources: Mapping[str, Source], problems: list[Problem]
) -> Laws | None:
    """The laws of a file's text; each problem is added to `problems`, and then there are none."""
    before = len(problems)
    fields = Fields(problems)
    located = read_yaml_text(raw, str(path))
    top = fields.mapping(
        located, "a file of laws", ["title", "introduction", "laws"], ["exemptions"]
    )
    laws = [_law(item, sources, fields) for item in fields.sequence(top.get("laws"), "laws")]
    fields.behavior = ""
    _refuse_doubles([law for law in laws if law], fields)
    known = [law.id for law in laws if law] if len(problems) == before else None
    exempt, places, passes = _exemptions(top.get("exemptions"), known, fields)
    if len(problems) > before:
        return None
    title = fields.text(top.get("title"), "title")
    introduction = fields.text(top.get("introduction"), "introduction")
    return Laws(title, introduction, tuple(law for law in laws if law), exempt, places, passes)


def _refuse_doubles(laws: list[Law], fields: Fields) -> None:
    first: dict[str, Law] = {}
    for law in laws:
        if law.id in first:
            fields.refuse(
                law.place, f"the id {law.id!r} occurs twice; first at {first[law.id].place}"
            )
        first.setdefault(law.id, law)


def _exemptions(
    located: Located | None, laws: Collection[str] | None, fields: Fields
) -> tuple[dict[tuple[str, str], str], dict[tuple[str, str], Place], frozenset[tuple[str, str]]]:
    exempt: dict[tuple[str, str], str] = {}
    places: dict[tuple[str, str], Place] = {}
    reference_passes = set()
    for item in fields.sequence(located, "exemptions") if located else ():
        entry = fields.mapping(item, "an exemption", ["laws", "operations", "why"], ["reference"])
        why = fields.text(entry.get("why"), "why")
        passes = fields.choice(entry.get("reference"), "reference", ("passes",), "")
        for law, place in fields.texts(entry.get("laws"), "laws"):
            if laws is not None and law not in laws:  # broken laws are not reported twice
                fields.refuse(place, f"no law is called {law!r}", nearest(law, laws))
            for operation, where in fields.texts(entry.get("operations"), "operations"):
                exempt[law, operation] = why
                places[law, operation] = where
                if passes:
                    reference_passes.add((law, operation))
    return exempt, places, frozenset(reference_passes)


def _law(located: Located, sources: Mapping[str, Source], fields: Fields) -> Law | None:
    entry = fields.mapping(located, "a law", REQUIRED, OPTIONAL)
    if any(name not in entry for name in REQUIRED):
        return None
    identifier = fields.text(entry["id"], "id")
    fields.behavior = identifier
    pattern = rf"{CHAPTER}\.[a-z0-9][a-z0-9-]*"
    fields.pattern(identifier, entry["id"].place, "the id", pattern, f"{CHAPTER}.some-short-name")
    statement = " ".join(fields.text(entry["statement"], "statement").split())
    strengths = [word for word in ("MUST", "SHOULD", "MAY") if re.search(rf"\b{word}\b", statement)]
    if not strengths:
        fields.refuse(entry["statement"].place, "expected MUST, SHOULD or MAY in the statement")
        return None
    cited = fields.texts(entry.get("sources"), "sources")
    for name, place in cited:
        if name not in sources:
            fields.refuse(place, f"the source {name!r} is not known", "see sources.yaml")
    from .law_programs import unknown_words  # which needs this module

    program = fields.text(entry["program"], "program")
    for message, word, known in unknown_words(program):
        fields.refuse(entry["program"].place, message, nearest(word, known))
    only = fields.texts(entry.get("only"), "only")
    for name, place in only:
        if name not in CONDITIONS:
            fields.refuse(place, f"expected only to name {', '.join(CONDITIONS)}, found {name!r}")
    factor, reason = fields.tolerance(entry.get("tolerance"), "tolerance")
    return Law(
        identifier,
        located.place,
        statement,
        strengths[0],  # type: ignore[arg-type]
        fields.choice(entry["level"], "level", LEVELS, "implied"),  # type: ignore[arg-type]
        tuple(name for name, _ in cited),
        program,
        fields.choice(entry.get("operands"), "operands", (*LAYOUTS, ONE_TENSOR, INTEGERS), "plain"),
        fields.choice(entry.get("cotangent"), "cotangent", tuple(LAYOUTS), "plain"),
        fields.choice(entry.get("dtype"), "dtype", DTYPES, ""),
        fields.number(entry.get("scale"), "scale", 1.0),
        tuple(name for name, _ in only),
        tuple(name for name, _ in fields.texts(entry.get("operations"), "operations")),
        fields.choice(entry.get("forms"), "forms", FORMS, "all"),
        factor,
        reason,
        fields.text(entry.get("pitfall"), "pitfall"),
        fields.text(entry.get("differs"), "differs"),
    )
