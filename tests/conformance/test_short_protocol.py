"""Between two cases pytest's phases "setup" and "teardown" are left out, unless somebody needs them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from gradspec.conformance.running.journal import read_journal
from suite_kit import VERDICTS, run_pytest, verdicts_of

ENGINE = """
import honest
from honest import *

def tensor(values, requires_grad=False):
    print("seen on stdout")
    return honest.tensor(values, requires_grad)
"""
PHASES = """
seen = []
def pytest_runtest_makereport(item, call):
    seen.append(call.when)
def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line("phases: " + " ".join(seen))
"""
SETUPS = """
import pytest
seen = []
def pytest_runtest_setup(item):
    seen.append(item.name)
@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    assert item.name == seen[-1]
    return (yield)
def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"set up: {len(seen)}")
"""
MARKS = """
import pytest
def pytest_collection_modifyitems(items):
    items[3].add_marker(pytest.mark.skip(reason="marked"))
"""
ENVIRONMENT = """
import os
def pytest_unconfigure():
    print("current test:", os.environ.get("PYTEST_CURRENT_TEST"))
"""


def run(
    folder: Path, spec: Path, plugin: str, *more: str, name: str = "watching"
) -> subprocess.CompletedProcess[str]:
    """Run the tiny specification on the engine above, with a plugin of one file."""
    (folder / "chatty.py").write_text(ENGINE, "utf-8")
    (folder / f"{name}.py").write_text(plugin, "utf-8")
    options = ["--impl=module:chatty", f"--spec={spec}", "--journal=run.jsonl", "-p", name]
    return run_pytest(*options, *more, cwd=folder)


def phases_of(text: str) -> list[str]:
    found = re.search("^phases: (.*)$", text, re.MULTILINE)
    assert found, text
    return found.group(1).split()


def test_only_the_first_and_the_last_case_have_three_phases(
    tiny_spec: Path, tmp_path: Path
) -> None:
    found = run(tmp_path, tiny_spec, PHASES)
    one = ["setup", "call", "teardown"]
    assert phases_of(found.stdout) == [*one, *["call"] * (len(VERDICTS) - 2), *one]
    assert verdicts_of(read_journal(tmp_path / "run.jsonl")) == VERDICTS


@pytest.mark.parametrize("option", ["--setup-show", "--junitxml=junit.xml", "--log-level=INFO"])
def test_who_looks_at_all_phases_gets_them(tiny_spec: Path, tmp_path: Path, option: str) -> None:
    found = run(tmp_path, tiny_spec, PHASES, option)
    assert phases_of(found.stdout) == ["setup", "call", "teardown"] * len(VERDICTS)


def test_a_plugin_that_sets_up_gets_every_case(tiny_spec: Path, tmp_path: Path) -> None:
    found = run(tmp_path, tiny_spec, SETUPS)
    assert f"set up: {len(VERDICTS)}" in found.stdout
    assert verdicts_of(read_journal(tmp_path / "run.jsonl")) == VERDICTS


def test_the_report_is_the_same_either_way(tiny_spec: Path, tmp_path: Path) -> None:
    """With what the engine printed, and the same counts."""
    texts = []
    for name, plugin in (("idle", ""), ("busy", "def pytest_runtest_setup(item): pass\n")):
        text = run(tmp_path, tiny_spec, plugin, "-rA", name=name).stdout
        assert "seen on stdout" in text
        texts.append(re.sub(r"in [0-9.]+s|plugins: .*", "", text))
    assert texts[0] == texts[1]


def test_a_marked_case_is_skipped(tiny_spec: Path, tmp_path: Path) -> None:
    run(tmp_path, tiny_spec, MARKS)
    left = [case for number, case in enumerate(VERDICTS) if number != 3]
    assert list(verdicts_of(read_journal(tmp_path / "run.jsonl"))) == left


def test_nothing_stays_in_the_environment(tiny_spec: Path, tmp_path: Path) -> None:
    found = run(tmp_path, tiny_spec, ENVIRONMENT, "-x", "-s")
    assert found.returncode == 1
    assert "current test: None" in found.stdout
