"""Programs with `x += y`, on tensors that have no such operator: Python would make another tensor."""

from __future__ import annotations

from pathlib import Path
from types import CodeType

import pytest
from gradspec.adapters.framework.augmented import missing_operator
from suite_kit import spec_of_programs, verdicts_on

ENGINE = """
class Tensor:
    def __init__(self, values):
        self.values = list(values)

    def __add__(self, other):
        return Tensor(value + other for value in self.values)

    def __getitem__(self, at):
        return self.values[at]

    def __setitem__(self, at, value):
        self.values[at] = value

    def add_(self, other):
        self.values = [value + other for value in self.values]
        return self

    def tolist(self):
        return self.values


def tensor(values):
    return Tensor(values)
"""


class Without:
    """A tensor without operators."""


class With(Without):
    def __iadd__(self, other: float) -> With:
        return self


def code_of(text: str) -> CodeType:
    return compile(text, "a program", "exec")


@pytest.mark.parametrize(
    ("text", "kind", "missing"),
    [
        ("x += 1", Without, "+="),
        ("x += 1", With, ""),
        ("x *= 2", With, "*="),
        ("x[0] += 1", Without, ""),
        ("x[0:1, ...] **= 2", Without, ""),
        ("y = x + 1", Without, ""),
        ("def f(x):\n    x -= 1\nf(1)", Without, "-="),
    ],
)
def test_the_operator_that_a_program_needs(text: str, kind: type, missing: str) -> None:
    assert missing_operator(code_of(text), kind) == missing


def test_a_program_that_needs_one_is_unsupported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no_operators.py").write_text(ENGINE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    same = "x = tensor([1.0])\ny = x\n{}\nassert y == [3.0]\n"
    programs = {
        "operator": same.format("x += 2.0"),
        "method": same.format("x.add_(2.0)"),
        "item": same.format("x[0] += 2.0"),
    }
    found = verdicts_on("module:no_operators", spec_of_programs(tmp_path / "spec", programs))
    assert [verdict.verdict for verdict in found.values()] == ["unsupported", "pass", "pass"]
