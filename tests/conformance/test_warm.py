"""What our tests run in a forked process is as in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from suite_kit import environment
from warm import run_module

SAYS = """
import os, sys
print(sys.argv[1:], os.getcwd(), os.environ["SAID"], __name__, sys.modules["__main__"].__file__)
print("and", sys.stdout.encoding, file=sys.stderr)
sys.exit(7)
"""


@pytest.mark.parametrize("more", [{}, {"PYTHONIOENCODING": "ascii"}])
def test_as_in_a_process_of_its_own(more: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "says.py").write_text(SAYS, "utf-8")
    given = environment(SAID="so", **more)
    found = run_module(["says", "-x", "y"], tmp_path, given, 60)
    alone = subprocess.run(
        [sys.executable, "-m", "says", "-x", "y"],
        cwd=tmp_path, env=given, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (found.returncode, found.stdout, found.stderr) == (7, alone.stdout, alone.stderr)


def test_one_that_does_not_end_is_killed(tmp_path: Path) -> None:
    (tmp_path / "stays.py").write_text("import time\ntime.sleep(60)\n", "utf-8")
    with pytest.raises(subprocess.TimeoutExpired):
        run_module(["stays"], tmp_path, environment(), 0.3)
    (tmp_path / "ends.py").write_text("print('next')\n", "utf-8")
    assert run_module(["ends"], tmp_path, environment(), 60).stdout == "next\n"
