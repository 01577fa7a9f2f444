"""Problems found in a specification file, each with its place and a hint."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)  # no slots, so that unpickling it runs no Python code
class Place:
    """A position: a file, and a line and column counted from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{shown_path(self.file)}:{self.line}:{self.column}"


def shown_path(path: str) -> str:
    """A path relative to the current folder, if it is inside."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in the specification, with a hint how to fix it."""

    place: Place
    message: str
    hint: str = ""
    behavior: str = ""

    def __str__(self) -> str:
        about = f" [{self.behavior}]" if self.behavior else ""
        hint = f"\n    {self.hint}" if self.hint else ""
        return f"{self.place}: {self.message}{about}{hint}"


class SpecError(Exception):
    """The specification cannot be used; `problems` lists every reason that was found."""

    def __init__(self, problems: list[Problem], of: str = "the specification") -> None:
        self.problems = problems
        count = f"{len(problems)} problem{'s' if len(problems) != 1 else ''}"
        shown = "\n".join(str(problem) for problem in problems[:50])
        more = f"\n... and {len(problems) - 50} more" if len(problems) > 50 else ""
        super().__init__(f"{count} in {of}\n{shown}{more}")


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint that names the known word closest to `name`, or the empty string."""
    close = difflib.get_close_matches(name[:200], list(known), n=1, cutoff=0.6)
    return f"did you mean {close[0]!r}?" if close else ""
