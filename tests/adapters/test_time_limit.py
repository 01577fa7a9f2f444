"""The time limit of a case in this process: what it interrupts, and what it lets end first."""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path

import pytest
from gradspec.adapters.framework.engine import CaseTimeout
from gradspec.adapters.framework.time_limit import TimeLimit


def test_a_program_is_interrupted() -> None:
    with pytest.raises(CaseTimeout), TimeLimit(0.05):
        time.sleep(30)


def test_an_import_comes_to_its_end_and_the_limit_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a module would stay in `sys.modules`, and break every case that needs it."""
    (tmp_path / "slow_to_import.py").write_text("import time\ntime.sleep(0.3)\nwhole = True\n")
    monkeypatch.syspath_prepend(tmp_path)

    def program() -> None:
        assert importlib.import_module("slow_to_import").whole
        time.sleep(30)

    with pytest.raises(CaseTimeout), TimeLimit(0.05):
        program()
    assert sys.modules.pop("slow_to_import").whole


def test_an_import_that_does_not_end_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gradspec.adapters.framework.time_limit.IMPORTING", 0.2)
    (tmp_path / "never_imported.py").write_text("import time\ntime.sleep(30)\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(CaseTimeout), TimeLimit(0.05):
        importlib.import_module("never_imported")
