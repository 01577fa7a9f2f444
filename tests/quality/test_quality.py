"""The habits that keep the house in order, as tests: style, types, packaging, direction of imports."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("spec", "reference_impl", "conformance", "adapters")


def test_style() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "."],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout


def test_types() -> None:
    script = ROOT / "tests" / "quality" / "typecheck.py"
    found = subprocess.run(
        [sys.executable, script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_every_package_is_shipped() -> None:
    """Each folder with an __init__.py is named in pyproject.toml."""
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"][
        "setuptools"
    ]
    found = {
        "gradspec." + ".".join(path.parent.relative_to(ROOT).parts)
        for room in ROOMS
        for path in (ROOT / room).rglob("__init__.py")
    }
    assert found == set(configuration["packages"])


def test_every_command_is_described() -> None:
    from gradspec.conformance.cli import COMMANDS

    modules = {path.stem for path in (ROOT / "conformance" / "commands").glob("*.py")}
    assert {name.replace("-", "_") for name in COMMANDS} == modules - {"__init__", "shared"}


def test_warnings_are_errors_in_our_tests_alone() -> None:
    """tests/conftest.py says so, and not pyproject.toml, which `pytest conformance` reads too."""
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "filterwarnings" not in configuration["tool"]["pytest"]["ini_options"]
    with pytest.raises(UserWarning, match="strict"):
        warnings.warn("strict", stacklevel=1)


def test_ci_gets_the_lowest_version_of_each_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    script = ROOT / "tests" / "quality" / "lowest.py"
    found = subprocess.run(
        [sys.executable, script, "test-core"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    wanted = project["dependencies"] + project["optional-dependencies"]["test-core"]
    assert {line.replace("==", ">=") for line in found} >= set(wanted)
    assert any(line.startswith("setuptools==") for line in found)
