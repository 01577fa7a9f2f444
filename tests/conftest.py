"""What the tests of the adapters and of the suite share."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from suite_kit import LIARS, make_tiny_spec


def pytest_configure(config: pytest.Config) -> None:
    """No warning may come out of our tests. A user's run of the suite is theirs to configure."""
    config.addinivalue_line("filterwarnings", "error")
    keep_bytecode()


def keep_bytecode() -> None:
    """Let Python keep what it compiles. Our tests start hundreds of processes, each of which would
    otherwise compile the whole package again."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


@pytest.fixture(scope="session")
def tiny_spec(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A specification of nine cases, which the honest engine knows how to run."""
    return make_tiny_spec(tmp_path_factory.mktemp("tiny") / "spec")


@pytest.fixture
def liars(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the lying engines, importable here and in child processes."""
    monkeypatch.syspath_prepend(LIARS)
    monkeypatch.setenv("PYTHONPATH", str(LIARS))
    return LIARS
