"""The data within the page: what its script draws from, as little as possible of it.

Each chapter has a table of results and a table of how engines share them, so that the thousands of cases
that simply pass take a few bytes each. The programs of generated cases are in the page only where there
is something to see: the first of each behavior, and the first that fail. `gradspec explain` prints the others.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from gradspec.spec.reading.chapters import slug

from .cards import failing_line

Data = dict[str, Any]
FAILING_SHOWN = 2
"""How many of the generated programs are in the page that fail on one engine, for each behavior,"""
PROGRAMS_SHOWN = 4
"""and how many of them altogether."""
LONGEST = 240
"""How long a message or a value may be in the page; journals have the whole."""


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
            for case in behavior["cases"][:1]
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
        self.kept: list[Any] = []  # results by whose identity others are found

    def behavior(self, behavior: Data) -> Data:
        since = f", since PyTorch {behavior['since']}" if behavior["since"] else ""
        failing: Counter[str] = Counter()
        shown: Data = {
            "level": f"{behavior['strength']}, {behavior['level']}{since}",
            "sources": [
                self.sources.number([item["title"], item["where"], item["note"]])
                for item in behavior["sources"]
            ],
            "cases": packed([
                self.case(case, self.is_shown(number, case, failing), behavior["id"])
                for number, case in enumerate(behavior["cases"])
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

    def is_shown(self, number: int, case: Data, failing: Counter[str]) -> bool:
        """Whether a case's program is in the page; `failing` counts by engine those that fail."""
        fails = [key for key in self.keys if "expected" in case["results"][key]]
        wanted = any(failing[key] < FAILING_SHOWN for key in fails)
        wanted = wanted and failing[""] < PROGRAMS_SHOWN
        failing.update([*fails, ""] if wanted else fails)
        return not self.generated or number == 0 or wanted

    def case(self, case: Data, shown: bool, behavior: str) -> list[Any]:
        """The numbers of its name, its results and its program (from 1 on), its row, and the row's
        values, where it has them."""
        program = self.programs.number(case["program"]) + 1 if shown else 0
        values = self.names.number(case["values"]) + 1 if case["values"] else 0
        return [
            self.name_of(case, behavior), self.results_of(case), program, case["row"] or 0, values,
        ]  # fmt: skip

    def name_of(self, case: Data, behavior: str) -> int:
        """The number of its name, beside the end of its id where that does not follow from the name."""
        end, name = case["id"].removeprefix(f"{behavior}/"), case["name"]
        if end == slug(name) + (f"[{case['row']}]" if case["row"] else ""):
            return self.names.number(name)
        return self.names.number([end, name] if end != name else [end])

    def results_of(self, case: Data) -> int:
        """The number of what the engines give; engines with the same result share one line."""
        found = [case["results"][key] for key in self.keys]
        same = tuple(map(id, found))
        if same in self.places_of_shared:
            return self.places_of_shared[same]
        self.kept.append(found)
        together: dict[int, list[int]] = {}
        for index, result in enumerate(found):
            together.setdefault(self.results.number(_shown(result, case)), []).append(index)
        number = self.shared.number([[names, result] for result, names in together.items()])
        if all("expected" not in result for result in found):  # else it names the case's line
            self.places_of_shared[same] = number
        return number


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


def _shown(result: Data, case: Data) -> Data:
    """A result as the page has it. Where the engine failed is told by file and line."""
    shown = {name: _cut(value) for name, value in result.items() if name != "line"}
    if "expected" in result:
        file = case["place"].rpartition(":")[0]
        shown["place"] = f"{file}:{result['line']}" if "line" in result else case["place"]
        line = failing_line(case["case"], result.get("line", 0))
        if line >= 0:
            shown["failing"] = line
    return shown


def _cut(value: Any) -> Any:
    return f"{value[:LONGEST]} …" if isinstance(value, str) and len(value) > LONGEST else value
