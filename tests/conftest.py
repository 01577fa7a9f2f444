"""What the tests of the adapters and of the suite share."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from gradspec.spec.load import load_spec

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


@pytest.fixture(scope="module", autouse=True)
def forget_forms() -> Iterator[None]:
    """Forget, after each file, the forms of all programs that its tests asked for. They come to two
    gigabytes, and every full garbage collection would go through them."""
    yield
    if load_spec.cache_info().currsize:
        for case in load_spec().cases:
            for kept in (case.program.__dict__, getattr(case.program.forms, "__dict__", {})):
                for form in ("json", "code", "mediated_code", "facts", "_trees"):
                    kept.pop(form, None)


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
