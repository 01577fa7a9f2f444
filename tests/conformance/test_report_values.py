"""What the report's page has of a result: enough to read, and no more."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from gradspec.conformance.reporting.report.page import _ChapterOfPage, coded
from hypothesis import given
from hypothesis import strategies as st
from suite_kit import decoded

Data = dict[str, Any]
VALUES = {
    "expected": "[0.6666666666666666, 1.0]", "observed": "tensor([0.3333333333333333, 1.0])",
}  # fmt: skip


def shown(results: list[Data], generated: bool = True) -> list[Data]:
    """What a page on one engine has of a behavior's cases with these results."""
    made = _ChapterOfPage([{"key": "engine"}], generated)
    cases = [
        {
            "id": f"a.b/c{number}", "name": f"c{number}", "row": "", "values": [], "program": "x",
            "place": "a.yaml:3", "case": SimpleNamespace(first_line=3, text="x"), "results": {"engine": result},
        }
        for number, result in enumerate(results)
    ]  # fmt: skip
    chosen = made.cases_shown(cases)
    for case in cases:
        made.case(case, case["id"] in chosen, "a.b")
    made.columns()
    return made.results


def failure(message: str, **more: Any) -> Data:
    return {
        "verdict": "fail",
        "kind": "wrong-value",
        "message": message,
        "line": 3,
        **VALUES,
        **more,
    }


def test_values_are_there_for_the_programs_that_are() -> None:
    results = [failure(f"element {number}: expected 1.0, found 2.0") for number in range(4)]
    found = shown([{"verdict": "pass"}, *results])
    assert ["observed" in result for result in found] == [False, True, True, False, False]
    assert ["place" in result for result in found] == [False, True, True, False, False]
    assert all("observed" in result for result in shown(results, generated=False))


def test_nothing_is_said_twice() -> None:
    long = failure("expected 1.0, found 2.0; the whole is tensor([2.0])")
    raised = failure("the engine raised E: no (at a.py:7)", kind="unexpected-error", where="a.py:7")
    first, second = shown([long, raised])
    assert first["message"] == "expected 1.0, found 2.0"
    assert (second["message"], second["where"]) == ("the engine raised E: no", "a.py:7")
    assert "observed" not in second


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("expected 0.6666666666666666, found 0.3333333333333333", "expected 0.666667, found 0.333333"),
        ("expected 0.6666666666666666, found 0.6666666666666667", None),
    ],
)  # fmt: skip
def test_long_numbers_are_rounded_unless_that_hides_the_difference(
    message: str, told: str | None
) -> None:
    (result,) = shown([failure(message)])
    assert result["message"] == (told or message)
    assert result["expected"] == "[0.666667, 1.0]"


def test_a_crash_of_any_kind_has_no_values() -> None:
    """A journal is text that anyone can edit."""
    (result,) = shown([{"verdict": "crash", "kind": "wrong-value", "message": "killed"}])
    assert "observed" not in result


@given(st.lists(st.integers(0, 6) | st.integers(0, 10**6)))
def test_a_column_is_read_as_it_was_written(column: list[int]) -> None:
    assert decoded(coded(column)) == column
