"""Scripts' numbers are compared as numbers, and the format of one and the same number as text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gradspec.reference_impl.ops import methods
from gradspec.reference_impl.tensor import printing

from .replay import Number, Seen
from .rounding import close
from .scripts_runner import SCRIPTS, difference

torch = pytest.importorskip("torch")

SCRIPT = """
import torch
x = torch.tensor([1.0, 2.0, 20.0], dtype=torch.float64) * torch.tensor(1.0, dtype=torch.float64).exp()
print(x / x.exp().log() * torch.tensor([1.0, 2.0, 20.0], dtype=torch.float64))
print(x.sum().item(), f"{x[0]:.3f}", float(x[1]), x.tolist())
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A script that prints numbers that rounding decides."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def off_by(monkeypatch: pytest.MonkeyPatch, times: float) -> None:
    """Have the reference show other numbers than it has."""
    readable, item = printing.readable, methods.item

    def moved(value: Any) -> Any:
        return value * times

    monkeypatch.setattr(printing, "readable", lambda array: moved(readable(array)))
    monkeypatch.setattr(methods.Tensor, "item", lambda x: moved(item(x)))


def test_numbers_that_differ_by_rounding_are_the_same(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    off_by(monkeypatch, 1 + 2.0**-50)
    assert difference(script) is None


def test_numbers_that_differ_by_more_are_not(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    off_by(monkeypatch, 1 + 1e-12)
    assert difference(script) is not None


def test_another_format_of_the_same_numbers_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    original = printing.Format.text
    monkeypatch.setattr(
        printing.Format, "text", lambda self, value: original(self, value).removesuffix(".")
    )
    told = difference(SCRIPTS / "tensors" / "float_formatting_rules.py")
    assert told is not None
    assert "float_formatting_rules.py, line" in told


def test_each_number_is_held_against_its_own_place() -> None:
    seen = Seen("script")
    for line, value in ((1, 0.5), (1, 0.25), (2, 8.0)):
        seen.note(line, "item", Number(value, "float64"))
    beside = 0.25 + 2.0**-54
    assert seen.replay(1, "item", Number(0.75, "float64")) == 0.75
    assert seen.replay(1, "item", Number(beside, "float64")) == 0.25
    assert seen.replay(2, "tolist", Number(8.0, "float64")) == 8.0
    assert seen.replay(2, "item", Number(8.0, "float32")) == 8.0


def test_whole_numbers_are_exact() -> None:
    seen = Seen("script")
    seen.note(1, "item", Number(10**9, "int64"))
    assert seen.replay(1, "item", Number(10**9 + 1, "int64")) == 10**9 + 1


@pytest.mark.parametrize(
    ("expected", "found", "alike"),
    [
        ([1.0, 2.0], [1.0, 2.0 + 30 * 2.0**-52], True),
        ([1.0, 2.0], [1.0, 2.0 + 50 * 2.0**-52], False),
        ([0.0, 2.0], [2.0**-51, 2.0], True),  # an epsilon of the largest
        ([0.0, 2.0], [2.0**-49, 2.0], False),
        ([np.nan, np.inf], [np.nan, np.inf], True),
        ([np.inf], [1e308], False),
        ([np.nan], [1.0], False),
        ([1.0], [np.nan], False),
        ([1.0], [[1.0]], False),
        ([1 + 1j], [1 + 1j + 2.0**-52], True),
        ([1 + 1j], [1 + 1.0001j], False),
    ],
)
def test_close(expected: list[Any], found: list[Any], alike: bool) -> None:
    assert close(expected, found, 2.0**-52) is alike
