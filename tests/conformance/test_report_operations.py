"""The report's results by operation, as a page and as CSV."""

from __future__ import annotations

import csv
import io
from typing import Any

from gradspec.conformance.reporting.report.operations import ASPECTS, operation_files, rows_of

Data = dict[str, Any]


def case(identifier: str, verdict: str, *, features: tuple[str, ...] = (), **result: str) -> Data:
    return {
        "id": identifier,
        "features": features,
        "results": {"card": {"verdict": verdict, **result}},
    }


def behavior(identifier: str, *cases: Data) -> Data:
    return {"id": identifier, "cases": list(cases)}


def report(*, laws: tuple[Data, ...] = (), operations: tuple[Data, ...] = ()) -> Data:
    return {
        "engines": [{"key": "card", "label": "card", "name": "card", "version": "1", "device": "card"}],
        "chapters": [
            {"name": "laws", "operations": True, "behaviors": list(laws)},
            {"name": "unary", "operations": True, "behaviors": list(operations)},
            {"name": "hooks", "operations": False, "behaviors": [behavior("hooks.a", case("hooks.a/value", "fail"))]},
        ],
    }  # fmt: skip


REPORT = report(
    operations=(
        behavior(
            "unary.tanh",
            case("unary.tanh/value", "pass"),
            case("unary.tanh/near-zero-value", "unsupported", message="lacking"),
            case("unary.tanh/gradient", "unsupported", kind="missing-gradient", message="tanh_backward"),
            case("unary.tanh/in-float64", "fail", message="=1+1 <b>\nfound 2.0"),
            case("unary.tanh/complex-value", "pass", features=("complex",)),
            case("unary.tanh/at-zero", "fail"),
        ),
        behavior("unary.tanh-at-edges", case("unary.tanh-at-edges/infinite-tangent", "pass")),
    ),
    laws=(
        behavior("laws.tangent", case("laws.tangent/unary.tanh[form=a]", "pass")),
        behavior("laws.float16", case("laws.float16/unary.tanh", "known")),
        behavior("laws.another-thread", case("laws.another-thread/unary.tanh", "unsupported")),
        behavior("laws.any-size", case("laws.any-size/unary.tanh", "missing")),
    ),
)  # fmt: skip


def test_cases_are_counted_where_they_belong() -> None:
    (row,) = rows_of(REPORT)
    assert {aspect: cell.status for aspect, cell in row.cells.items()} == {
        "forward": "partly",
        "float32": "missing gradient",
        "backward": "missing gradient",
        "float64": "fails",
        "complex": "holds",
        "forward mode": "holds",
        "float16": "known",
        "other laws": "unsupported",
    }
    assert row.all.count == 10
    assert row.cells["backward"].told == "0 of 1 pass; unary.tanh/gradient: tanh_backward"


def test_the_table_has_a_row_for_each_operation_and_engine() -> None:
    header, line = csv.reader(io.StringIO(operation_files(REPORT)["operations.csv"]))
    assert header[:2] == ["operation", "engine"]
    assert tuple(header[2:-3]) == ASPECTS
    found = dict(zip(header, line, strict=True))
    assert (found["operation"], found["engine"], found["float64"]) == (
        "unary.tanh",
        "card",
        "fails",
    )
    assert (found["passed"], found["cases"], found["second order"]) == ("4", "10", "")
    assert found["first that does not hold"] == "unary.tanh/in-float64: =1+1 <b> found 2.0"


def test_the_page_escapes_what_an_engine_says() -> None:
    page = operation_files(REPORT)["operations.html"]
    assert 'class="missing-gradient"' in page
    assert "&lt;b&gt;" in page
    assert "<b>\n" not in page


def test_a_specification_without_operations_has_neither() -> None:
    assert operation_files(report()) == {}
