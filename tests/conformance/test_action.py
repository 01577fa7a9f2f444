"""The composite action and the workflow of the docs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from gradspec.conformance.cli import main as commands
from suite_kit import LIARS, REPOSITORY

EMPTY = {"known": "", "python": "", "arguments": "", "folder": "made here"}
NAMES = {
    "IMPL": "impl",
    "KNOWN": "known",
    "ENGINE_PYTHON": "python",
    "ARGUMENTS": "arguments",
    "FOLDER": "folder",
}


@pytest.fixture(scope="module")
def action() -> Any:
    return yaml.safe_load((REPOSITORY / "action.yml").read_text("utf-8"))


def test_the_workflow_uses_the_inputs_that_there_are(action: Any) -> None:
    workflow = yaml.safe_load((REPOSITORY / "docs" / "workflow.yml").read_text("utf-8"))
    steps = workflow["jobs"]["gradspec"]["steps"]
    (used,) = [step for step in steps if "gradspec@" in step.get("uses", "")]
    assert set(used["with"]) <= set(action["inputs"])
    assert steps[-1]["with"]["path"] == action["inputs"]["folder"]["default"]


def test_inputs_reach_the_script_by_the_environment_only(action: Any) -> None:
    install, run = action["runs"]["steps"]
    assert run["env"] == {name: f"${{{{ inputs.{given} }}}}" for name, given in NAMES.items()}
    assert "${{" not in install["run"] + run["run"]


def test_the_script_runs_the_suite(action: Any, tmp_path: Path, tiny_spec: Path) -> None:
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    script = bin_folder / "gradspec"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m {commands.__module__} "$@"\n', "utf-8")
    script.chmod(0o755)
    (tmp_path / "known.yaml").write_text("- behavior: tiny.departs\n  reason: Yes.\n", "utf-8")
    given = {**EMPTY, "impl": "module:honest", "known": "known.yaml",
             "arguments": f"--spec={tiny_spec} -k tiny.departs --failures=0"}  # fmt: skip
    environment = {name: given[key] for name, key in NAMES.items()}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", action["runs"]["steps"][1]["run"]],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, **environment, "PATH": f"{bin_folder}:{os.environ['PATH']}", "PYTHONPATH": str(LIARS)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    made = {path.name for path in (tmp_path / "made here").iterdir()}
    assert {"journal.jsonl", "junit.xml", "badge.svg", "index.html"} <= made, made
