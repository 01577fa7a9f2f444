"""The data within the page: what its script draws from, as little as possible of it.

Each chapter has a table of results and a table of how engines share them, so that the thousands of cases
that simply pass take a few bytes each. The programs of generated cases, and the values that engines gave
for them, are in the page only where there is something to see: of each behavior the first that fail, or
the first if none does. `gradspec explain` and `gradspec repro` print the others, journals have all values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import islice
from typing import Any

from gradspec.spec.reading.chapters import slug

from ...judging.verdict import NOT_HELD
from .cards import VALUED, failing_line

Data = dict[str, Any]
PROGRAMS_SHOWN = 2
"""How many of the generated programs of a behavior are in the page: the first that fail, or the first."""
LONGEST = 240
"""How long a message or a value may be in the page; journals have the whole."""
LONG_NUMBER = re.compile(r"\d+\.\d{7,}(?:e[-+]?\d+)?")
DIGITS = 6
"""How many digits of a long number are in the page."""
SAME = re.compile(r"expected (.+), found \1$")
WHOLE = "; the whole is "
"""What begins the part of a message that repeats the observed value."""


class _Table:
    """Values, each once; the index of each is its number."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[str, int] = {}

    def number(self, value: Any) -> int:
        text = json.dumps(value, sort_keys=True)
        if text not in self._numbers:
            self._numbers[text] = len(self.values)
            self.values.append(value)
        return self._numbers[text]


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


def chapter_of_page(chapter: Data, engines: list[Data], drawings: Mapping[str, str]) -> Data:
    """The contents of a chapter's rows, by the ids of its behaviors, and the tables they refer to."""
    made = _ChapterOfPage(engines, generated=chapter["operations"])
    behaviors = {behavior["id"]: made.behavior(behavior) for behavior in chapter["behaviors"]}
    return {
        "behaviors": behaviors,
        "names": made.names.values,
        "programs": made.programs.values,
        "results": made.results.values,
        "shared": made.shared.values,
        "sources": made.sources.values,
        "drawings": {
            case["id"]: drawings[case["id"]]
            for behavior in chapter["behaviors"]
            for case in behavior["cases"]
            if case["id"] in drawings
        },
    }


class _ChapterOfPage:
    def __init__(self, engines: list[Data], generated: bool) -> None:
        self.keys = [engine["key"] for engine in engines]
        self.generated = generated
        self.names, self.programs, self.sources = _Table(), _Table(), _Table()
        self.results, self.shared = _Table(), _Table()
        self.places_of_shared: dict[tuple[int, ...], int] = {}
        self.places_of_results: dict[int, int] = {}
        """The numbers of results by their identity; equal results of an engine are one object."""
        self.kept: list[Any] = []  # what is found by its identity has to stay

    def behavior(self, behavior: Data) -> Data:
        since = f", since PyTorch {behavior['since']}" if behavior["since"] else ""
        chosen = self.cases_shown(behavior["cases"])
        shown: Data = {
            "level": f"{behavior['strength']}, {behavior['level']}{since}",
            "sources": [
                self.sources.number([item["title"], item["where"], item["note"]])
                for item in behavior["sources"]
            ],
            "cases": packed([
                self.case(case, case["id"] in chosen, behavior["id"]) for case in behavior["cases"]
            ]),
        }  # fmt: skip
        for name in ("refuses", "pitfall", "differs", "folklore"):
            if behavior[name]:
                shown[name] = behavior[name]
        if counts := self.counts_of(behavior):
            shown["counts"] = counts
        return shown

    def counts_of(self, behavior: Data) -> dict[int, str]:
        """For the engines that fail a behavior or support a part of it, how many cases pass."""
        found = {}
        for index, key in enumerate(self.keys):
            result = behavior["results"][key]
            if result["status"] in ("fails", "partly"):
                found[index] = f"{result['passed']}/{result['attempted']}"
        return found

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

    def case(self, case: Data, shown: bool, behavior: str) -> list[Any]:
        """The numbers of its name, its results and its program (from 1 on), its row unless the name has
        it, and the row's values."""
        program = self.programs.number(case["program"]) + 1 if shown else 0
        values = self.names.number(case["values"]) + 1 if case["values"] else 0
        name = self.name_of(case, behavior)
        row = case["row"] if isinstance(self.names.values[name], str) else ""
        return [name, self.results_of(case, shown), program, row or 0, values]

    def name_of(self, case: Data, behavior: str) -> int:
        """The number of its name, beside the end of its id where that does not follow from the name."""
        end, name = case["id"].removeprefix(f"{behavior}/"), case["name"]
        if end == slug(name) + (f"[{case['row']}]" if case["row"] else ""):
            return self.names.number(name)
        return self.names.number([end, name] if end != name else [end])

    def results_of(self, case: Data, shown: bool) -> int:
        """The number of what the engines give: the result that most of them share, then others, each
        after the engines that have it."""
        found = [case["results"][key] for key in self.keys]
        same = tuple(map(id, found))
        if same in self.places_of_shared:
            return self.places_of_shared[same]
        self.kept.append(found)
        together: dict[int, list[int]] = {}
        for index, result in enumerate(found):
            together.setdefault(self.result_of(result, case, shown), []).append(index)
        most = max(together, key=lambda result: len(together[result]))
        others = [part for result, names in together.items() if result != most for part in (names, result)]
        number = self.shared.number([most, *others])
        self.places_of_shared[same] = number
        return number

    def result_of(self, result: Data, case: Data, shown: bool) -> int:
        """The number of one engine's result."""
        place = self.places_of_results.get(id(result))
        if place is None:
            place = self.results.number(_shown(result, case, shown))
            self.places_of_results[id(result)] = place
        return place


def packed(cases: list[list[Any]]) -> list[list[Any]]:
    """The cases column by column, each as pairs of a value and how often it follows; a column that
    counts up by one, as names mostly do, has the difference "+" for the value."""
    return [_runs(list(column)) for column in zip(*cases, strict=True)]


def _runs(column: list[Any]) -> list[Any]:
    runs: list[Any] = []
    previous: Any = None
    for value in column:
        counts_up = isinstance(value, int) and isinstance(previous, int) and value == previous + 1
        item = "+" if counts_up else [value]
        if runs and runs[-2] == item:
            runs[-1] += 1
        else:
            runs += [item, 1]
        previous = value
    return [
        part[0] if isinstance(part, list) and not isinstance(part[0], str) else part
        for part in runs
    ]


def _shown(result: Data, case: Data, whole: bool) -> Data:
    """A result as the page has it: what the page says elsewhere is left out, and so are values and
    places unless the `whole` result is shown."""
    verdict, where = result["verdict"], result.get("where", "")
    shown = {"verdict": verdict}
    for name in ("kind", "where", "blamed_on", "reason"):
        if name in result:
            shown[name] = _cut(result[name])
    message = result.get("message", "").partition(WHOLE)[0].removesuffix(f" (at {where})")
    if message:
        shorter = rounded(message)
        shown["message"] = _cut(message if _hides(shorter) else shorter)
    if verdict in NOT_HELD and whole:
        if "expected" in result and result.get("kind") in VALUED and not _told(message, result):
            values = [result["expected"], result["observed"]]
            fewer = [rounded(value) for value in values]
            shown["expected"], shown["observed"] = map(_cut, fewer if fewer[0] != fewer[1] else values)
        file = case["place"].rpartition(":")[0]
        shown["place"] = f"{file}:{result['line']}" if "line" in result else case["place"]
        line = failing_line(case["case"], result.get("line", 0))
        if line >= 0:
            shown["failing"] = line
    return shown


def _hides(message: str) -> bool:
    """Whether a message no longer shows a difference. A long message is of more than two numbers."""
    return len(message) <= LONGEST and bool(SAME.search(message))


def rounded(text: str) -> str:
    """A text with fewer digits of the long numbers in it."""
    return LONG_NUMBER.sub(lambda found: f"{float(found.group()):.{DIGITS}g}", text)


def _told(message: str, result: Data) -> bool:
    """Whether a message already has both values."""
    return bool(message == f"expected {result['expected']}, found {result['observed']}")


def _cut(value: Any) -> Any:
    return f"{value[:LONGEST]} …" if isinstance(value, str) and len(value) > LONGEST else value
