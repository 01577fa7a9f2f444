"""Reads the tables of mistakes in `malformed/`.

A table has a `base`, which is a healthy file, and `rows`. A row is a name, and the lines that make
the mistake; below a line, `^` says what must be reported at its column:

    level unknown: |
      level: documentd
             ^ expected level to be one of documented | did you mean 'documented'?

What follows ` | ` is the hint; part of a message and part of a hint are enough. Problems are listed
in the order of their report, and no others may be reported. `~` stands for `^` where the column
depends on the interpreter.

A row's lines take the place of the base's lines that begin with the same words: this one takes the
place of `level: observed`. If its first word is not in the base, the row stands in place of the
line `<row>`. A table without a base has rows that are whole files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from folders import TABLES as BESIDE
from gradspec.spec.problems import Problem

FOLDER = Path(__file__).with_name("malformed")
TABLES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
SLOT = "<row>"
_MARK = re.compile(r"(\s*)([\^~]) (.*)")
_WORD = re.compile(r"\s*(?:- ?)?(\w*)")


@dataclass(frozen=True)
class Expected:
    """A problem that must be reported. Line or column 0: wherever it is."""

    line: int
    column: int
    message: str
    hint: str = ""

    @classmethod
    def at(cls, line: int, column: int, told: str) -> Expected:
        """From `message | hint`."""
        message, _, hint = told.partition(" | ")
        return cls(line, column, message, hint)

    def fits(self, problem: Problem) -> bool:
        place = problem.place
        return (
            self.line in (0, place.line)
            and self.column in (0, place.column)
            and self.message in problem.message
            and self.hint in problem.hint
        )


@dataclass(frozen=True)
class Mistake:
    """A malformed file, and what must be reported of it."""

    table: str
    name: str
    text: str
    expected: tuple[Expected, ...]

    @property
    def file(self) -> str:
        """Its place in the specification's folder."""
        return f"{self.table}.yaml" if self.table in (*BESIDE, "laws") else "behaviors/sample.yaml"


def mistakes(table: str) -> list[Mistake]:
    """The rows of one table."""
    rows = _entries(_top(table)["rows"])
    return [mistake(table, name, row.value) for name, row in rows.items()]


def mistake(table: str, name: str, row: str) -> Mistake:
    """A row as of this table."""
    return Mistake(table, name, *spoil(_base(table), row))


def base_of(table: str) -> str:
    """The healthy file that a table's rows spoil; no text if its rows are whole files."""
    return "".join(f"{line}\n" for line in _without_slot(_base(table).splitlines()))


def _base(table: str) -> str:
    top = _top(table)
    return str(top["base"].value) if "base" in top else SLOT


@cache
def _top(table: str) -> dict[str, Any]:
    return _entries(yaml.compose((FOLDER / f"{table}.yaml").read_text("utf-8")))


def _entries(node: Any) -> dict[str, Any]:
    """The entries of a mapping. No row is lost to another of its name, as it would be by `load`."""
    entries = {key.value: value for key, value in node.value}
    assert len(entries) == len(node.value), "two rows have the same name"
    return entries


def spoil(base: str, row: str) -> tuple[str, tuple[Expected, ...]]:
    """A base with a row's lines in their place, and what must be reported of it."""
    lines = [line for line in row.splitlines() if not _MARK.fullmatch(line)]
    healthy = base.splitlines()
    first, last = _place(healthy, lines)
    shift = _indentation(healthy[first]) - _indentation(lines[0])
    before, after = _without_slot(healthy[:first]), _without_slot(healthy[last:])
    expected = []
    number = len(before)
    for line in row.splitlines():
        mark = _MARK.fullmatch(line)
        if mark is None:
            number += 1
        else:
            column = len(mark[1]) + shift + 1 if mark[2] == "^" else 0
            expected.append(Expected.at(number, column, mark[3]))
    shifted = [" " * shift + line if line else "" for line in lines]
    whole = [*before, *shifted, *after]
    return "".join(f"{line}\n" for line in whole), tuple(expected)


def _place(healthy: list[str], lines: list[str]) -> tuple[int, int]:
    """From which line of a base to before which other a row's lines stand."""
    stripped = [line.strip() for line in healthy]
    words = [_word(line) for line in healthy]
    if lines[0].strip() in stripped:
        first = stripped.index(lines[0].strip())
    elif _word(lines[0]) in words:
        first = words.index(_word(lines[0]))
    else:
        first = stripped.index(SLOT)
    last = first + 1
    for line in lines[1:]:
        if _word(line) in words[last:]:
            last = words.index(_word(line), last) + 1
    return first, last


def _without_slot(lines: list[str]) -> list[str]:
    return [line for line in lines if line.strip() != SLOT]


def _word(line: str) -> str:
    found = _WORD.match(line)
    assert found is not None
    return found[1] or line


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
