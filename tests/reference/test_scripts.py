"""Ordinary scripts must print on the reference exactly what they print on PyTorch."""

from __future__ import annotations

from pathlib import Path

import pytest

from .scripts_runner import SCRIPTS, difference, scripts

pytest.importorskip("torch")


@pytest.mark.parametrize("path", scripts(), ids=lambda path: str(path.relative_to(SCRIPTS)))
def test_same_output(path: Path) -> None:
    told = difference(path)
    assert told is None, told
