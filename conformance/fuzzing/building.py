"""Makes a drawn program one that an engine runs: after every statement it reports what can be seen."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from gradspec.spec.load import load_spec
from gradspec.spec.problems import Place, Problem
from gradspec.spec.program.language import parse_program
from gradspec.spec.program.program import Program
from gradspec.spec.program.vocabulary import Vocabulary

from .drawing import Drawn, Statement
from .statements import CLASSES

FILE = "generated"
_NAME = re.compile(r"\b[svmw]\d+\b")
_RETAINED = re.compile(r"\b([svmw]\d+)\.retain_grad\(")


@dataclass(frozen=True)
class Uses:
    """What statements take from the engine."""

    words: frozenset[str] = frozenset()
    members: frozenset[str] = frozenset()
    features: frozenset[str] = frozenset()

    def __or__(self, other: Uses) -> Uses:
        return Uses(
            self.words | other.words, self.members | other.members, self.features | other.features
        )


FLAGS = Uses(frozenset(), frozenset({"requires_grad", "is_leaf", "grad"}), frozenset({"leaf"}))


@lru_cache(maxsize=1)
def _vocabulary() -> Vocabulary:
    return load_spec().vocabulary


@lru_cache(maxsize=4096)
def _uses_of(pattern: str) -> Uses:
    """What a statement uses, whatever variables stand in it."""
    problems: list[Problem] = []
    names = dict.fromkeys(_NAME.findall(pattern))
    head = "".join(f"{name} = tensor([0.5])\n" for name in names)
    classes = "".join(text for name, text in CLASSES.items() if f"{name}.apply" in pattern)
    place = Place(FILE, 1, 1)
    parsed = parse_program(
        f"{classes}{head}{pattern}\n", _vocabulary(), {}, lambda line, column: place, problems
    )
    if parsed is None:
        raise ValueError(f"{pattern!r} is not of the language: {problems[0]}")
    return Uses(frozenset(parsed.words), frozenset(parsed.members), frozenset(parsed.features))


def uses_of(statement: Statement) -> Uses:
    """What a drawn statement takes from the engine."""
    numbers: dict[str, str] = {}

    def renamed(match: re.Match[str]) -> str:
        kind = match.group()[0]
        return numbers.setdefault(match.group(), f"{kind}{len(numbers)}")

    return _uses_of(_NAME.sub(renamed, statement.written))


def classes_of(drawn: Drawn) -> str:
    """The custom functions that a program names."""
    text = drawn.text
    return "".join(made for name, made in CLASSES.items() if f"{name}.apply" in text)


def build(drawn: Drawn, flags: bool) -> Program:
    """The program, with a report after every statement: of each variable its value, and with `flags`
    also whether it requires grad, whether it is a leaf, and a leaf's or retained gradient."""
    lines: list[str] = classes_of(drawn).splitlines()
    uses = FLAGS if flags else Uses()
    seen: dict[str, bool] = {}
    for index, statement in enumerate(drawn.statements):
        uses = uses | uses_of(statement)
        lines += statement.written.splitlines()
        if statement.name:
            seen[statement.name] = False
        for name in _RETAINED.findall(statement.text):
            seen[name] = True
        reported = ", ".join(_seen(name, flags, seen[name]) for name in seen)
        lines.append(f"observe({index}, ({reported},))")
    if any("trace(" in line for line in lines):
        lines.append(f"observe({len(drawn.statements)}, traced())")
    tree = ast.parse("\n".join(lines) + "\n")
    return Program.of_tree(
        tree, "generated", FILE, tuple(sorted(uses.words)), uses.members, uses.features
    )


def _seen(name: str, flags: bool, retained: bool) -> str:
    if not flags:
        return name
    grad = f"{name}.grad" if retained else f"{name}.grad if {name}.is_leaf else None"
    return f"({name}, {name}.requires_grad, {name}.is_leaf, {grad})"


def lines_of(drawn: Drawn) -> Mapping[int, int]:
    """For each line of the built program the statement that it belongs to."""
    at = len(classes_of(drawn).splitlines())
    found = {}
    for index, statement in enumerate(drawn.statements):
        for _ in statement.written.splitlines():
            at += 1
            found[at] = index
        at += 1
        found[at] = index
    return found
