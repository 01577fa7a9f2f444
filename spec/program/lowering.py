"""From a program's text to what an engine runs and what the judge expects of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import TypeVar

from ..problems import Place, Problem
from .expectations import split_expectations
from .language import parse_program
from .parsed import Bound
from .program import Expectation, Program
from .syntax import MAX_ITEMS, nodes_of
from .vocabulary import Kind, Vocabulary

Shared = TypeVar("Shared", bound=Hashable)


def lower_program(
    identifier: str,
    text: str,
    file: str,
    first_line: int,
    bindings: Mapping[str, Bound],
    vocabulary: Vocabulary,
    kinds: Mapping[str, Kind],
    locate: Callable[[int, int], Place],
    problems: list[Problem],
) -> tuple[Program, tuple[Expectation, ...]] | None:
    """One program, checked and split; each fault is added to `problems`, and then there is none.

    `bindings`, `first_line` and `locate` are those of `parse_program`.
    """
    before = len(problems)
    parsed = parse_program(text, vocabulary, bindings, locate, problems, first_line)
    if parsed is None:
        return None
    lines = {} if bindings else dict(enumerate(text.split("\n"), first_line))
    expectations = split_expectations(
        parsed.tree, vocabulary, kinds, locate, problems, parsed.names_either, lines
    )
    if parsed.too_large and len(problems) == before:
        left = nodes_of(parsed.tree)  # without expectations, which the judge has
        for node in parsed.too_large:
            if node in left:
                place = locate(node.lineno, node.col_offset)
                hint = f"an integer has 128 bits, a list {MAX_ITEMS} items"
                problems.append(Problem(place, "the value of these literals is too large", hint))
    if len(problems) > before:
        return None
    program = Program.of_tree(
        parsed.tree,
        identifier,
        file,
        _shared(tuple(sorted(parsed.words))),
        _shared(frozenset(parsed.members)),
        _shared(frozenset(parsed.features)),
        tuple(sorted(parsed.strangers)),
    )
    return program, tuple(expectations)


@lru_cache(maxsize=10_000)
def _shared(value: Shared) -> Shared:
    """The same object for equal values, which makes a cached chapter smaller."""
    return value


def lower_generated(
    identifier: str,
    text: str,
    file: str,
    place: Place,
    vocabulary: Vocabulary,
    kinds: Mapping[str, Kind],
    problems: list[Problem],
) -> tuple[Program, tuple[Expectation, ...]] | None:
    """As `lower_program`, for a program that is generated from the entry at `place`: its lines are
    numbered from the entry's, so that each has its own number, and messages show the entry."""

    def locate(line: int, column: int) -> Place:
        return Place(place.file, line, place.column)

    return lower_program(
        identifier, text, file, place.line, {}, vocabulary, kinds, locate, problems
    )
