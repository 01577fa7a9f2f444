"""Escape sequences and lone surrogates, from engines and from specifications, on every front."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from gradspec.conformance.running.journal import read_journal
from suite_kit import (
    CHAPTER,
    LIARS,
    REPOSITORY,
    VICTIM,
    gradspec,
    make_tiny_spec,
    run_pytest,
    strict,
    verdicts_of,
)

ENGINE = r"""
import honest
from honest import *
__version__ = "\x1b[31m1.0\x9b\u202e"
BAD = "lone \ud800, \x1b]0;owned\x07, \x00, \u202e"
class dtype:
    def __str__(self):
        return "strange." + BAD
class Tensor(honest.Tensor):
    dtype = dtype()
    def backward(self, *arguments):
        raise RuntimeError(BAD)
    def register_hook(self, hook):
        raise RuntimeError(BAD)
    def __getattr__(self, name):
        raise AttributeError(BAD)
def tensor(values, requires_grad=False):
    if values == [666.0]:
        raise ValueError(BAD)
    return Tensor(values, requires_grad)
"""
ESCAPES = r"\e]0;owned\a\x9b31m\u202E\u2028"
CASES = 9
Found = subprocess.CompletedProcess[str]


@pytest.fixture
def strange(tmp_path: Path) -> dict[str, str]:
    """The environment in which the engine `strange` can be imported."""
    (tmp_path / "strange.py").write_text(ENGINE, "utf-8")
    return {"PYTHONPATH": f"{LIARS}:{tmp_path}"}


def check_output(found: Found) -> None:
    for text in (found.stdout, found.stderr):
        bad = [c for c in text if not c.isprintable() and c not in "\n\t"]
        assert not bad, (bad[:3], text[:2000])


@pytest.mark.parametrize("more", [[], ["-n2"], ["-v", "-rA"]])
def test_an_engine_says_what_no_terminal_should(
    more: list[str], strange: dict[str, str], tiny_spec: Path, tmp_path: Path
) -> None:
    """Under pytest no verdict is lost, and each is the one that the command gives."""
    options = ("--impl=module:strange", f"--spec={tiny_spec}")
    command = gradspec("run", *options, "--journal=c.jsonl", "--report=r", cwd=tmp_path, **strange)
    front = run_pytest(*options, "--journal=p.jsonl", "--report=s", *more, cwd=tmp_path, **strange)
    for found in (command, front):
        check_output(found)
        assert found.returncode == 1, found.stdout + found.stderr
        assert r"\x1b]0;owned" in found.stdout
    journals = [read_journal(tmp_path / f"{name}.jsonl") for name in "cp"]
    assert verdicts_of(journals[0]) == verdicts_of(journals[1])
    assert len(journals[1].verdicts) == CASES
    assert journals[1].complete
    for name in "rs":
        strict((tmp_path / name / "report.json").read_text("utf-8"))
        assert "</html>" in (tmp_path / name / "report.html").read_text("utf-8")


def test_a_run_of_a_strange_engine_goes_on(
    strange: dict[str, str], tiny_spec: Path, tmp_path: Path
) -> None:
    """What the header says of the engine is the same when it is read again."""
    (tmp_path / "strange.py").write_text(ENGINE + "__version__ += '\\ud800'\n", "utf-8")
    options = ("--impl=module:strange", f"--spec={tiny_spec}", "--journal=j.jsonl")
    gradspec("run", *options, cwd=tmp_path, **strange)
    found = gradspec("run", *options, "--resume", cwd=tmp_path, **strange)
    assert found.returncode == 1, found.stderr
    check_output(found)


@pytest.fixture
def loud_spec(tmp_path: Path) -> Path:
    """A specification whose every text holds escape sequences."""
    chapter = CHAPTER.replace("title: Tiny", f'title: "Tiny {ESCAPES}"')
    chapter = chapter.replace("introduction: As much", f'introduction: "{ESCAPES}')
    chapter = chapter.replace("lines can do.", 'lines can do."')
    chapter = chapter.replace(
        "statement: A thing that the honest engine gets wrong MUST be told.",
        f'statement: "A thing MUST be told. {ESCAPES}"\n    pitfall: "{ESCAPES}"\n    folklore: "{ESCAPES}"',
    )
    chapter = chapter.replace("a leaf keeps its place:", f'"a leaf keeps its place {ESCAPES}":')
    return make_tiny_spec(tmp_path / "loud", chapter)


CALLS: dict[str, list[Any]] = {
    "list behaviors": ["list", "behaviors"],
    "list cases": ["list", "cases"],
    "list chapters": ["list", "chapters"],
    "list folklore": ["list", "folklore"],
    "explain": ["explain", "tiny.departs"],
    "explain chapter": ["explain", "tiny"],
    "export": ["export"],
    "check": ["check"],
    "run": ["run", "--impl=module:honest"],
    "repro": ["repro", "tiny.departs"],
    "a wrong option": ["run", "--impl=\x1b[31mhonest"],
    "a wrong word": ["list", "\x1b[31mcases"],
    "a wrong id": ["explain", "\x1b[31mtiny"],
}


@pytest.mark.parametrize("name", CALLS)
def test_a_specification_says_what_no_terminal_should(
    name: str, loud_spec: Path, tmp_path: Path
) -> None:
    found = gradspec(*CALLS[name], f"--spec={loud_spec}", cwd=tmp_path)
    check_output(found)
    assert "Traceback" not in found.stderr
    assert found.returncode == 2
    if not name.startswith("a wrong"):  # a specification holds text and nothing else
        assert "found the character U+001B, which is not allowed in text" in found.stderr


def test_the_name_of_a_specification(tmp_path: Path) -> None:
    """Of its folder, and of a chapter, whose ids must not be made of it."""
    folder = make_tiny_spec(tmp_path / "a\x1b[31mspec")
    calls = (["list"], ["explain", "tiny.adds"], ["repro", VICTIM], ["run", "--impl=module:honest"])
    for status, arguments in zip((0, 0, 0, 1), calls, strict=True):
        found = gradspec(*arguments, f"--spec={folder}", cwd=tmp_path)
        check_output(found)
        assert found.returncode == status
    check_output(run_pytest("--impl=module:honest", f"--spec={folder}", "-v", cwd=tmp_path))
    (folder / "behaviors" / "tiny.yaml").rename(folder / "behaviors" / "ti\x1b[31mny.yaml")
    found = gradspec("list", f"--spec={folder}", cwd=tmp_path)
    check_output(found)
    assert "is not well formed" in found.stderr


def test_a_specification_under_pytest(loud_spec: Path, tmp_path: Path) -> None:
    found = run_pytest("--impl=module:honest", f"--spec={loud_spec}", "-v", "-rA", cwd=tmp_path)
    check_output(found)


def test_names_of_files_are_shown_as_text(tmp_path: Path) -> None:
    name = "\x1b[31mj\u202e\n.jsonl"
    (tmp_path / name).write_bytes(b"x")
    for arguments in (["report", name], ["diff", name, name]):
        found = gradspec(*arguments, cwd=tmp_path)
        check_output(found)
        assert found.returncode == 2
        assert found.stderr.count("\n") == 1


def test_an_ascii_terminal_gets_escapes(tiny_spec: Path, tmp_path: Path) -> None:
    (tmp_path / "strange.py").write_text("from honest import *\n__version__ = '1.0 é √'\n", "utf-8")
    variables = {"PYTHONPATH": f"{LIARS}:{tmp_path}", "PYTHONIOENCODING": "ascii"}
    found = gradspec(
        "run", "--impl=module:strange", f"--spec={tiny_spec}", cwd=tmp_path, **variables
    )
    assert found.returncode == 1, found.stderr
    assert r"1.0 \xe9 \u221a" in found.stdout


def test_every_command_prints_in_one_place() -> None:
    """By `say`, which escapes; but for bytes that are data (a script, JSON) and go to a file or pipe."""
    for path in sorted((REPOSITORY / "conformance" / "commands").glob("*.py")):
        for line in path.read_text("utf-8").splitlines():
            if path.name != "shared.py" and re.search(
                r"click\.s?echo\(|\bprint\(|sys\.std\w+\.write", line
            ):
                assert ".encode(), nl=False)" in line, f"{path.name}: {line.strip()}"
