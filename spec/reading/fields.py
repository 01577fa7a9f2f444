"""Reads typed fields from located YAML values, and reports problems."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from ..model import USUAL_TOLERANCE
from ..problems import Place, Problem, SpecError, nearest
from .yaml_reader import Located

_KINDS = {
    type(None): "nothing",
    bool: "true or false",
    int: "an integer",
    float: "a number",
    str: "text",
    list: "a list",
    dict: "a mapping",
}


def kind_of(located: Located) -> str:
    """The kind of a value, in words."""
    return _KINDS[type(located.value)]


MAX_PROBLEMS = 200
MAX_KEYS = 5000
"""How many names a table may have; for an unknown name, the nearest one is suggested."""


class Fields:
    """Reads the fields of mappings, collecting problems instead of stopping at the first.

    After `MAX_PROBLEMS` it gives up and raises `SpecError`.
    """

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        self.behavior = ""

    def refuse(self, place: Place, message: str, hint: str = "") -> None:
        self.report(Problem(place, message, hint, self.behavior))

    def report(self, problem: Problem) -> None:
        """Add a problem that was found elsewhere."""
        if len(self.problems) >= MAX_PROBLEMS:
            rest = "there are too many problems; the rest was not read"
            raise SpecError([Problem(problem.place, rest)])
        self.problems.append(problem)

    def mapping(
        self, located: Located, what: str, required: Collection[str], optional: Collection[str] = ()
    ) -> dict[str, Located]:
        """The fields of a mapping; unknown and missing keys are reported. Empty if it is not a mapping."""
        if not isinstance(located.value, dict):
            self.refuse(located.place, f"expected {what} to be a mapping, found {kind_of(located)}")
            return {}
        known = [*required, *optional]
        for key, place in located.keys.items():
            if key not in known:
                hint = nearest(key, known) or f"known keys: {', '.join(known)}"
                self.refuse(place, f"{what} has no key {key!r}", hint)
        for key in required:
            if key not in located.value:
                self.refuse(located.place, f"{what} is missing the key {key!r}")
        return located.value

    def any_mapping(self, located: Located, what: str) -> dict[str, Located]:
        """A mapping whose keys are free; empty if it is none."""
        if not isinstance(located.value, dict):
            self.refuse(located.place, f"expected {what} to be a mapping, found {kind_of(located)}")
            return {}
        if len(located.value) > MAX_KEYS:
            count = f"{what} has {len(located.value)} entries"
            self.refuse(located.place, f"{count}; {MAX_KEYS} are allowed")
            return {}
        return located.value

    def sequence(self, located: Located | None, what: str) -> list[Located]:
        if located is None:
            return []
        if not isinstance(located.value, list):
            hint = "begin each item with `- `" if isinstance(located.value, dict) else ""
            if isinstance(located.value, str):
                hint = "a list is written `[one, two]`, or with a line `- one` for each item"
            found = f"expected {what} to be a list, found {kind_of(located)}"
            self.refuse(located.place, found, hint)
            return []
        return located.value

    def text(self, located: Located | None, what: str, default: str = "") -> str:
        """Text that is not blank."""
        if located is None:
            return default
        if not isinstance(located.value, str):
            self.refuse(located.place, f"expected {what} to be text, found {kind_of(located)}")
            return default
        if not located.value.strip():
            self.refuse(located.place, f"expected {what} to be text, found blank text")
        return located.value.strip()

    def texts(self, located: Located | None, what: str) -> list[tuple[str, Place]]:
        items = self.sequence(located, what)
        return [(self.text(item, f"an item of {what}"), item.place) for item in items]

    def number(self, located: Located | None, what: str, default: float) -> float:
        if located is None:
            return default
        if isinstance(located.value, bool) or not isinstance(located.value, int | float):
            self.refuse(located.place, f"expected {what} to be a number, found {kind_of(located)}")
            return default
        return float(located.value)

    def tolerance(self, located: Located | None, what: str) -> tuple[float, str]:
        """A tolerance, in machine epsilons, and why it is not the usual one."""
        if located is None:
            return USUAL_TOLERANCE, ""
        entry = self.mapping(located, what, ["factor", "why"])
        factor = self.number(entry.get("factor"), "factor", USUAL_TOLERANCE)
        if not 0 <= factor <= 1e8:
            self.refuse(
                entry["factor"].place,
                "expected factor, in units of machine epsilon, between 0 and 1e8",
            )
        return factor, self.text(entry.get("why"), "why")

    def choice(
        self, located: Located | None, what: str, allowed: Iterable[str], default: str
    ) -> str:
        """One of a fixed list of words."""
        if located is None:
            return default
        words = list(allowed)
        value = self.text(located, what, default)
        if value and value not in words:
            hint = nearest(value, words)
            self.refuse(
                located.place,
                f"expected {what} to be one of {', '.join(words)}; found {value!r}",
                hint,
            )
            return default
        return value

    def pattern(self, value: str, place: Place, what: str, pattern: str, example: str) -> bool:
        if not value or re.fullmatch(pattern, value):  # blank text has been reported already
            return bool(value)
        self.refuse(
            place, f"{what} {value[:80]!r} is not well formed", f"it should look like {example}"
        )
        return False
