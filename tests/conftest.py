"""What the tests of the adapters and of the suite share."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from _pytest.logging import LogCaptureHandler
from gradspec.adapters.framework.containment import set_aside
from gradspec.spec.load import load_spec
from gradspec.spec.program.program import Forms, Program

sys.path.insert(0, str(Path(__file__).parent))

from suite_kit import LIARS, make_tiny_spec


def pytest_configure(config: pytest.Config) -> None:
    """No warning may come out of our tests. A user's run of the suite is theirs to configure."""
    config.addinivalue_line("filterwarnings", "error")
    # an engine may log what cannot be formatted, as PyTorch's debug mode does
    LogCaptureHandler.handleError = logging.Handler.handleError  # type: ignore[method-assign]
    keep_bytecode()
    if getattr(config.option, "numprocesses", None):
        share_among_workers(config)


def keep_bytecode() -> None:
    """Let Python keep what it compiles. Our tests start hundreds of processes, each of which would
    otherwise compile the whole package again."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def share_among_workers(config: pytest.Config) -> None:
    """Read the specification once for all workers of pytest-xdist, which find it in its cache then, and
    give each worker whole files, so that what the tests of a file share is made once. Files come in
    order: the last ones are short, so that no worker waits long for another."""
    load_spec()
    if config.option.dist == "load":
        config.option.dist = "loadfile"
        config.option.loadscopereorder = False


@pytest.fixture(scope="module", autouse=True)
def little_to_collect() -> Iterator[None]:
    """Set aside, before each file, what is there already: else every full garbage collection, of which
    each run in this process makes one, would go through it. Forget, after each file, the forms of all
    programs that its tests asked for, which come to two gigabytes."""
    set_aside()
    yield
    if load_spec.cache_info().currsize:
        for forms, programs in forms_of_chapters():
            if not vars(forms).keys().isdisjoint(FORMS):
                for kept in (vars(forms), *map(vars, programs)):
                    for form in FORMS:
                        kept.pop(form, None)


FORMS = ("json", "code", "mediated_code", "_mediated_code", "facts", "_trees")


@cache
def forms_of_chapters() -> list[tuple[Forms, list[Program]]]:
    """What keeps the forms of each chapter's programs, with the programs."""
    found: dict[int, tuple[Forms, list[Program]]] = {}
    for program in (case.program for case in load_spec().cases):
        assert program.forms is not None
        found.setdefault(id(program.forms), (program.forms, []))[1].append(program)
    return list(found.values())


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
