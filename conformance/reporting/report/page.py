"""The data within the page: what its script draws from, as little as possible of it.

Each chapter has tables of names, programs, results and so on, and its cases are columns of numbers in them,
so that the thousands of cases that simply pass take a few bytes each; results are columns in the same way.
The programs of generated cases, and the values that engines gave for them, are in the page only where there
is something to see: of each behavior the first that fail, or the first if none does. `gradspec explain` and
`gradspec repro` print the others; journals have all
values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice
from operator import itemgetter
from types import MappingProxyType
from typing import Any

from gradspec.spec.reading.chapters import slug

from ...judging.verdict import NOT_HELD
from .cards import VALUED, failing_line, rounded, shorter

Data = dict[str, Any]
OF_CASES = ("name", "row", "value", "program", "drawing")
"""What cases have in tables of their own, with results."""
OF_RESULTS = (
    "verdict",
    "kind",
    "where",
    "blamed_on",
    "reason",
    "place",
    "failing",
    "expected",
    "observed",
    "message",
)
PROGRAMS_SHOWN = 2
"""How many of the generated programs of a behavior are in the page: the first that fail, or the first."""
LONGEST = 240
"""How long a message or a value may be in the page; journals have the whole."""
SAME = re.compile(r"expected (.+), found \1$")
WHOLE = "; the whole is "
"""What begins the part of a message that repeats the observed value."""


class _Table:
    """Values that can be keys, each once; the index of each is its number."""

    def __init__(self, *values: Any) -> None:
        self._numbers = {value: number for number, value in enumerate(values)}

    @property
    def values(self) -> list[Any]:
        return list(self._numbers)

    def number(self, value: Any) -> int:
        return self._numbers.setdefault(value, len(self._numbers))

    def numbers(self, values: Iterable[Any]) -> list[int]:
        found = list(values)
        for value in dict.fromkeys(found):
            self.number(value)
        return list(map(self._numbers.__getitem__, found))


def _frozen(value: Any) -> Any:
    """Nested lists as tuples, which can be keys. JSON writes them in the same way."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def engine_of_page(engine: Data) -> Data:
    """The data about an engine that the page's script needs."""
    return {"key": engine["key"], "name": engine["label"], "impl": engine["impl"]}


def changes_of_page(report: Data, engines: list[Data]) -> list[Data]:
    """For each run that was compared with an earlier one: its engine's place in the page, and the
    earlier verdicts of the cases that changed, by their ids."""
    places = {engine["key"]: index for index, engine in enumerate(engines)}
    return [
        {
            "engine": places[about["engine"]],
            "version": about["version"],
            "before": {
                change["case"]: change["before"]
                for change in report["changes"]
                if change["engine"] == about["engine"]
            },
        }
        for about in report["against"]
    ]


def chapter_of_page(chapter: Data, engines: list[Data], drawings: Mapping[str, Any]) -> Data:
    """The contents of a chapter's rows, by the ids of its behaviors, and the tables they refer to."""
    made = _ChapterOfPage(engines, chapter["operations"], drawings)
    behaviors = {behavior["id"]: made.behavior(behavior) for behavior in chapter["behaviors"]}
    columns = made.columns()
    page = {
        "behaviors": behaviors,
        "columns": columns,
        "levels": made.levels.values,
        "sources": made.sources.values,
    }
    page |= {f"{name}s": table.values for name, table in made.tables.items()}
    for name in OF_RESULTS:
        table = _Table()
        columns[f"results.{name}"] = coded(table.numbers(found.get(name) for found in made.results))
        page[f"results.{name}"] = table.values
    return page


class _ChapterOfPage:
    def __init__(
        self,
        engines: list[Data],
        generated: bool,
        drawings: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.keys = [engine["key"] for engine in engines]
        self.generated = generated
        self.drawings = drawings
        self.sources, self.levels = _Table(), _Table()
        self.results: list[Data] = []
        """What engines gave, each once."""
        self.tables = {name: _Table("") for name in OF_CASES}
        self.cases: list[tuple[Data, bool]] = []
        """The cases of all behaviors, and of each whether its program is shown."""
        self.parts: list[tuple[Any, ...]] = []
        """Of each case what is in the tables."""

    def behavior(self, behavior: Data) -> Data:
        since = f", since PyTorch {behavior['since']}" if behavior["since"] else ""
        chosen = self.cases_shown(behavior["cases"])
        for case in behavior["cases"]:
            self.case(case, case["id"] in chosen, behavior["id"])
        shown: Data = {
            "cases": len(behavior["cases"]),
            "level": self.levels.number(f"{behavior['strength']}, {behavior['level']}{since}"),
            "sources": [
                self.sources.number((item["title"], item["where"], item["note"]))
                for item in behavior["sources"]
            ],
        }
        for name in ("refuses", "pitfall", "differs", "folklore"):
            if behavior[name]:
                shown[name] = behavior[name]
        return shown

    def cases_shown(self, cases: list[Data]) -> set[str]:
        """The cases of a behavior whose programs are in the page."""
        if not self.generated:
            return {case["id"] for case in cases}
        fails = (
            case["id"]
            for case in cases
            if any(case["results"][key]["verdict"] in NOT_HELD for key in self.keys)
        )
        return set(islice(fails, PROGRAMS_SHOWN)) or {case["id"] for case in cases[:1]}

    def case(self, case: Data, shown: bool, behavior: str) -> None:
        """Keep what a case has. Its row is left out where its name has it."""
        name = name_of(case, behavior)
        row = case["row"] if isinstance(name, str) else ""
        drawing = _frozen(self.drawings.get(case["id"], ""))
        self.parts.append(
            (name, row, case["values"] or "", case["program"] if shown else "", drawing)
        )
        self.cases.append((case, shown))

    def columns(self) -> Data:
        """What the cases have, column by column. The results are those of one engine after the other."""
        parts = zip(OF_CASES, zip(*self.parts, strict=True), strict=True)
        columns = {name: self.tables[name].numbers(values) for name, values in parts}
        columns["result"] = self.column_of_results()
        return {name: coded(column) for name, column in columns.items()}

    def column_of_results(self) -> list[int]:
        """The number of each result. Equal results are mostly one object."""
        results = [case["results"][key] for key in self.keys for case, _ in self.cases]
        places: dict[int, int] = {}
        numbers: dict[tuple[Any, ...], int] = {}
        for number, place in enumerate(map(id, results)):
            if place not in places:
                told = _shown(results[number], *self.cases[number % len(self.cases)])
                places[place] = numbers.setdefault(tuple(told.items()), len(numbers))
                if len(numbers) > len(self.results):
                    self.results.append(told)
        return [places[place] for place in map(id, results)]


def name_of(case: Data, behavior: str) -> str | tuple[str, ...]:
    """A case's name, after the end of its id where that does not follow from the name."""
    end, name = case["id"].removeprefix(f"{behavior}/"), case["name"]
    if end == slug(name) + (f"[{case['row']}]" if case["row"] else ""):
        return str(name)
    return (end, name) if end != name else (end,)


def coded(column: Iterable[int]) -> str:
    """A column of numbers as text, which `expanded` in report.js reads. "!" is one more than any before, as
    the numbers of new values are. Another number has digits to the base 56, from "#" on; its higher part comes
    first, to the base 34 and with digits of its own, from "]" on."""
    numbers = list(column)
    parts = list(map(digits_of, numbers))
    first = dict(zip(reversed(numbers), reversed(range(len(numbers))), strict=True))
    most = -1
    for number, place in sorted(first.items(), key=itemgetter(1)):
        if number == most + 1:
            parts[place] = "!"
        most = max(most, number)
    return "".join(parts)


@cache
def digits_of(number: int) -> str:
    high, low = divmod(number, 56)
    digits = chr(ord("#") + low)
    while high:
        high, digit = divmod(high, 34)
        digits = chr(ord("]") + digit) + digits
    return digits


def _shown(result: Data, case: Data, whole: bool) -> Data:
    """A result as the page has it: what the page says elsewhere is left out, and so are values and
    places unless the `whole` result is shown."""
    verdict, where = result["verdict"], result.get("where", "")
    shown = {"verdict": verdict}
    for name in ("kind", "where", "blamed_on", "reason"):
        if name in result:
            shown[name] = _cut(result[name])
    if message := result.get("message", "").partition(WHOLE)[0].removesuffix(f" (at {where})"):
        fewer = rounded(message)
        shown["message"] = _cut(message if _hides(fewer) else fewer)
    if verdict in NOT_HELD and whole:
        if "expected" in result and result.get("kind") in VALUED and not _told(message, result):
            values = shorter(result["expected"], result["observed"])
            shown["expected"], shown["observed"] = map(_cut, values)
        file = case["place"].rpartition(":")[0]
        shown["place"] = f"{file}:{result['line']}" if "line" in result else case["place"]
        line = failing_line(case["case"], result.get("line", 0))
        if line >= 0:
            shown["failing"] = line
    return shown


def _hides(message: str) -> bool:
    """Whether a message no longer shows a difference. A long message is of more than two numbers."""
    return len(message) <= LONGEST and bool(SAME.search(message))


def _told(message: str, result: Data) -> bool:
    """Whether a message already has both values."""
    return bool(message == f"expected {result['expected']}, found {result['observed']}")


def _cut(value: Any) -> Any:
    return f"{value[:LONGEST]} …" if isinstance(value, str) and len(value) > LONGEST else value
