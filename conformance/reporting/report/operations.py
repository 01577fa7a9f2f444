"""The results by operation: forward, backward, each order, mode, dtype and layout; a page and a table.

Meant for whoever implements operations one by one, such as the author of a device backend.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from gradspec.adapters.framework.engine import MISSING_GRADIENT
from gradspec.spec.catalogue.laws import CHAPTER as LAWS
from markupsafe import Markup

from ...judging.verdict import FAILED
from ...text import printable
from ..templates import templates_in

Data = dict[str, Any]
OTHER = "other laws"
ASPECTS = (
    "forward", "backward", "second order", "forward mode", "in place",
    "float32", "float64", "float16", "bfloat16", "complex", "integers",
    "any layout", "expanded", "gradient in any layout", "gradient expanded", "in place on a view",
    OTHER,
)  # fmt: skip
"""The columns, in their order."""
OF_CASES = {
    "value": ("forward", "float32"),
    "as-a-method": ("forward", "float32"),
    "gradient": ("backward", "float32"),
    "second-order": ("second order",),
    "tangent": ("forward mode",),
    "in-place": ("in place",),
    "in-float64": ("float64",),
    "of-a-transposed-operand": ("any layout",),
}
"""The columns of an operation's own cases, by the ends of their names."""
OF_LAWS = {
    "create-graph-keeps-the-first-order": "second order",
    "compositions-of-second-order": "second order",
    "tangent": "forward mode",
    "tangent-in-place": "forward mode",
    "tangent-of-a-tangent": "forward mode",
    "complex-operands": "complex",
    "float16": "float16",
    "bfloat16": "bfloat16",
    "integer-operands": "integers",
    "integers-beside-floats": "integers",
    "operands-in-any-layout": "any layout",
    "expanded-operands": "expanded",
    "cotangent-in-any-layout": "gradient in any layout",
    "expanded-cotangent": "gradient expanded",
    "in-place-on-a-view": "in place on a view",
}
"""The columns of the laws; those of another law are `OTHER`."""
AT_POINTS = ("-value-at-kinks", "-at-kinks", "-at-edges", "-refuses")
"""The ends of the ids of an operation's other behaviors, those that end with another one first."""
PASSED = frozenset({"pass", "unexpected-pass"})
LONGEST = 300
HOLDS, NONE = '<td class="holds">holds</td>', "<td></td>"


class Cell:
    """What an engine gives for one aspect of an operation."""

    def __init__(self, cases: Sequence[Data], engine: str) -> None:
        self.count = len(cases)
        self.passed = 0
        self.first: dict[str, tuple[str, Data]] = {}
        """The first case that fails, the first that lacks a gradient, and so on, each with its result."""
        for case in cases:
            result = case["results"][engine]
            verdict = result["verdict"]
            if verdict in PASSED:
                self.passed += 1
                continue
            lacks = verdict == "unsupported" and result.get("kind") == MISSING_GRADIENT
            kind = "missing gradient" if lacks else "fails" if verdict in FAILED else verdict
            if kind not in self.first:
                self.first[kind] = (case["id"], result)

    @property
    def status(self) -> str:
        """One or two words."""
        if self.passed == self.count:
            return "holds"
        for name in ("fails", "missing gradient", "known"):
            if name in self.first:
                return name
        return (
            "partly" if self.passed else "unsupported" if "unsupported" in self.first else "not run"
        )

    @property
    def example(self) -> str:
        """The first case that does not hold, with what was found."""
        for name in ("fails", "missing gradient", "unsupported", "known"):
            if name in self.first:
                case, result = self.first[name]
                return f"{case}: {result.get('message', '')}"
        return ""

    @property
    def told(self) -> str:
        """How many of the cases pass, and the first that does not."""
        counts = f"{self.passed} of {self.count} pass"
        return f"{counts}; {self.example}" if self.example else counts

    @property
    def html(self) -> str:
        """The cell of the page. What does not hold says more when it is pointed at."""
        status = self.status
        if status == "holds":
            return HOLDS
        told = self.told if len(self.told) <= LONGEST else f"{self.told[:LONGEST]}..."
        return f'<td class="{status.replace(" ", "-")}" title="{escape(told)}">{status}</td>'


@dataclass
class Row:
    """An operation on one engine."""

    operation: str
    engine: str
    cells: dict[str, Cell]
    all: Cell
    """All its cases, each once."""

    @property
    def html(self) -> Markup:
        """The cells of the page, one for each aspect."""
        return Markup(
            "".join([self.cells[name].html if name in self.cells else NONE for name in ASPECTS])
        )


def rows_of(report: Data) -> list[Row]:
    """Each operation of the catalogue on each engine, in the order of the specification."""
    cases: dict[str, list[Data]] = {}
    of_aspects: dict[str, dict[str, list[Data]]] = {}
    for operation, aspects, case in _cases(report):
        cases.setdefault(operation, []).append(case)
        for aspect in aspects:
            of_aspects.setdefault(operation, {}).setdefault(aspect, []).append(case)
    return [
        Row(
            operation,
            engine["key"],
            {aspect: Cell(found, engine["key"]) for aspect, found in of_aspects[operation].items()},
            Cell(cases[operation], engine["key"]),
        )
        for operation in cases
        for engine in report["engines"]
    ]


def _cases(report: Data) -> Iterator[tuple[str, Iterable[str], Data]]:
    """The cases about operations: the operation, the columns, and the case. The laws come last."""
    chapters = [chapter for chapter in report["chapters"] if chapter["operations"]]
    for chapter in sorted(chapters, key=lambda chapter: bool(chapter["name"] == LAWS)):
        for behavior in chapter["behaviors"]:
            for case in behavior["cases"]:
                if chapter["name"] == LAWS:
                    law = behavior["id"].partition(".")[2]
                    operation = case["id"].partition("/")[2].partition("[")[0]
                    yield operation, (OF_LAWS.get(law, OTHER),), case
                elif aspects := _aspects_of(case):
                    yield _operation(behavior["id"]), aspects, case


def _operation(behavior: str) -> str:
    return next(
        (behavior.removesuffix(end) for end in AT_POINTS if behavior.endswith(end)), behavior
    )


def _aspects_of(case: Data) -> tuple[str, ...]:
    name = case["id"].partition("/")[2].partition("[")[0]
    found = next((aspects for end, aspects in OF_CASES.items() if _ends(name, end)), ())
    if "complex" in case["features"]:
        return (*(aspect for aspect in found if aspect != "float32"), "complex")
    return found


def _ends(name: str, end: str) -> bool:
    return name == end or name.endswith(f"-{end}")


def operation_files(report: Data) -> dict[str, str]:
    """The page and the table, by their names; none for a specification without operations."""
    rows = rows_of(report)
    if not rows:
        return {}
    return {"operations.html": _page(rows, report), "operations.csv": _table(rows)}


def _table(rows: list[Row]) -> str:
    """The rows as CSV, with a header."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(
        ["operation", "engine", *ASPECTS, "passed", "cases", "first that does not hold"]
    )
    for row in rows:
        statuses = [row.cells[aspect].status if aspect in row.cells else "" for aspect in ASPECTS]
        counts = [row.all.passed, row.all.count]
        writer.writerow(
            [row.operation, row.engine, *statuses, *counts, _in_a_cell(row.all.example)]
        )
    return printable(written.getvalue())


def _in_a_cell(text: str) -> str:
    """A message as one cell, which no spreadsheet takes for a formula: it begins with a case's id."""
    return " ".join(text.split())


def _page(rows: list[Row], report: Data) -> str:
    page = templates_in(Path(__file__).with_name("templates")).get_template("operations.html.j2")
    engines = report["engines"]
    tables = {
        engine["key"]: [row for row in rows if row.engine == engine["key"]] for engine in engines
    }
    return printable(page.render(tables=tables, aspects=ASPECTS, engines=engines))
