"""Our tests and the suite hold on other processors too: a part of them, on a few that this one can
pass for. `python tests/reference/instruction_sets.py` runs all of them, on all."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from .instruction_sets import IN_CI, REPOSITORY, Share, environments, failing_cases, run

NAMES = [name for name in environments() if name in IN_CI]
"""Those that this machine has; the reference that rounds otherwise is among them on every one."""
PARTS = 20
"""Each of them tries one in so many, and what every one has to try."""
OLD_COMPARISON = """
from tests.reference import another_processor
another_processor.install(1)
from tests.reference import scripts_runner as runner
path = runner.SCRIPTS / "storage" / "least_squares_solvers.py"
as_it_is = lambda line, way, number: number.value
texts = [[line.text for line in runner.run(path, package, as_it_is)]
         for package in ("torch", runner.REFERENCE)]
print(texts[0] == texts[1], runner.difference(path))
"""


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_same_verdicts(number: int) -> None:
    done = run(NAMES[number], Share(number, PARTS))
    assert done.returncode == 0, done.stdout + done.stderr


def test_compared_as_text_scripts_would_differ() -> None:
    pytest.importorskip("torch")
    done = subprocess.run(
        [sys.executable, "-c", OLD_COMPARISON], capture_output=True, text=True, cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)}, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["False", "None"]


def test_cases_that_fail_are_told() -> None:
    told = next(failing_cases("nothing", Share(0, 1)))
    assert told.startswith("nothing, ")
