"""Which cases run: -k as in pytest, and what failed before."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression
from gradspec.conformance.judging.verdict import Verdict
from gradspec.conformance.running.journal import line_of
from gradspec.conformance.running.selection import FILE, failed_before, joined, matcher
from suite_kit import call, gradspec, run_pytest

NAMES = ("hooks.runs-once/of[a=1]", "threads.two-hooks/x", "leaf.Created/y", "sum.dim/over[dim=0]")


@pytest.mark.parametrize(
    "expression",
    [
        "hooks", "HOOKS and not threads", "not hooks", "(hooks or leaf) and not x", "leaf.created/",
        "not (hooks and threads)", "hooks or leaf and y", "of[a", "test", "behaviors", "not not sum",
    ],
)  # fmt: skip
def test_an_expression_selects_what_it_selects_in_pytest(expression: str) -> None:
    theirs = Expression.compile(expression)
    ours = matcher(expression)
    for name in NAMES:
        known = (name.lower(), FILE)

        def contains(word: str, /, known: tuple[str, ...] = known, **_: object) -> bool:
            return any(word.lower() in each for each in known)

        assert ours(name) == theirs.evaluate(contains), name


@pytest.mark.parametrize(
    "text", ["over[dim=0]", "of[a=1", "and", "hooks and", ")", "sum.dim/over[dim=0]"]
)
def test_what_is_no_expression_is_a_part_of_an_id(text: str) -> None:
    assert [name for name in NAMES if matcher(text)(name)] == [
        name for name in NAMES if text in name
    ]


def test_several_expressions_select_what_any_selects() -> None:
    assert [name for name in NAMES if matcher(joined(["hooks and x", "leaf"]))(name)] == list(
        NAMES[1:3]
    )


@pytest.fixture
def ran(tmp_path: Path, tiny_spec: Path, liars: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A command that runs the tiny suite, after it ran once in this folder."""
    monkeypatch.chdir(tmp_path)
    command = ["run", "--impl=module:honest", f"--spec={tiny_spec}", "--failures=0"]
    assert call(*command).exit_code == 1
    return command


def test_only_what_failed_runs_again(ran: list[str], tmp_path: Path) -> None:
    whole = tmp_path / "results" / "module_honest.jsonl"
    before = whole.read_bytes()
    found = call(*ran, "--only-failed")
    assert ": 2 cases" in found.output
    assert "results/module_honest.part.jsonl" in found.output
    assert whole.read_bytes() == before
    assert ": 1 cases" in call(*ran, "--only-failed", "-k", "departs-apart").output


def test_what_failed_runs_first(ran: list[str], tmp_path: Path) -> None:
    assert call(*ran, "--failed-first").exit_code == 1
    lines = (tmp_path / "results" / "module_honest.jsonl").read_text("utf-8").splitlines()
    assert [line.split('"')[3] for line in lines[1:4]] == [
        "tiny.departs/a-leaf-keeps-its-place", "tiny.departs-apart/a-name", "tiny.adds/two-passes",
    ]  # fmt: skip


def test_a_later_run_of_a_part_counts(tmp_path: Path) -> None:
    spec = {"digest": "", "behaviors": 1, "cases": 2}
    header = {
        "gradspec": 1,
        "version": "",
        "engine": {"name": "x"},
        "spec": spec,
        "options": {"impl": "x"},
    }
    whole, part = tmp_path / "x.jsonl", tmp_path / "x.part.jsonl"
    for path, verdicts in ((whole, {"a": "fail", "b": "fail"}), (part, {"a": "pass"})):
        lines = [Verdict(case, name).to_json() for case, name in verdicts.items()]  # type: ignore[arg-type]
        path.write_bytes(b"".join(map(line_of, [header, *lines])))
    os.utime(whole, (1, 1))
    assert failed_before(whole, part) == {"b"}
    os.utime(part, (0, 0))
    assert failed_before(whole, part) == {"a", "b"}


def test_without_an_earlier_run_there_is_nothing_to_go_by(
    tmp_path: Path, tiny_spec: Path, liars: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = call("run", "--impl=module:honest", f"--spec={tiny_spec}", "--only-failed")
    assert found.exit_code == 2
    assert "there is no journal of an earlier run" in found.output


def test_both_commands_select_the_same(tmp_path: Path, tiny_spec: Path) -> None:
    words = ("-k", "adds or tiny.leaf", "-k", "refuses and not adds")
    options = ("--impl=module:honest", f"--spec={tiny_spec}", *words)
    ours = gradspec("run", *options, "--journal=ours.jsonl", cwd=tmp_path)
    theirs = run_pytest(*options, "--journal=theirs.jsonl", cwd=tmp_path)
    assert (ours.returncode, theirs.returncode) == (0, 0), ours.stderr + theirs.stdout
    journals = [(tmp_path / f"{name}.jsonl").read_text("utf-8") for name in ("ours", "theirs")]
    found = [[line.split('"')[3] for line in text.splitlines()[1:-1]] for text in journals]
    assert found[0] == found[1]
    assert len(found[0]) == 3
