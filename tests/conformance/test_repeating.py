"""--repeat: a case whose verdict changes is flaky, never a pass."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from gradspec.conformance.judging.verdict import Name, Verdict
from gradspec.conformance.reporting.causes import causes_of
from gradspec.conformance.running.journal import read_journal
from gradspec.conformance.running.repeating import combined, in_order, repeated
from gradspec.spec.load import load_spec
from suite_kit import VERDICTS, VICTIM, call, run_pytest, validator, verdicts_of


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [
        (["pass", "pass"], "pass"),
        (["fail", "fail"], "fail"),
        (["pass", "fail"], "flaky"),
        (["fail", "crash"], "flaky"),
        (["unsupported", "pass"], "flaky"),
        (["known", "unexpected-pass"], "flaky"),
        (["known", "pass", "known"], "known"),  # of a partial entry
    ],
)
def test_the_verdict_of_several_runs(rounds: list[Name], expected: Name) -> None:
    verdict = combined([Verdict("x", name, message=name) for name in rounds])
    assert verdict.verdict == expected
    if expected == "flaky":
        for name, count in Counter(rounds).items():
            assert f"{count} {name}" in verdict.rounds
        assert verdict.rounds in verdict.message


def test_each_case_runs_so_often_and_in_another_order(tiny_spec: Path) -> None:
    cases = load_spec(tiny_spec).cases
    ran: list[str] = []

    def run(case: object) -> Verdict:
        ran.append(case.id)  # type: ignore[attr-defined]
        return Verdict(ran[-1], "pass")

    found = list(repeated(cases, run, 3))
    assert [verdict.case for verdict in found] == [case.id for case in cases]
    assert set(Counter(ran).values()) == {3}
    assert ran == [case.id for number in range(3) for case in in_order(cases, number)]
    assert ran[: len(cases)] != ran[len(cases) : 2 * len(cases)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_case_that_changes_is_flaky(
    tmp_path: Path, tiny_spec: Path, liars: Path, jobs: int
) -> None:
    path = tmp_path / "flaky.jsonl"
    run = ("run", "--impl=module:flaky", f"--spec={tiny_spec}", f"--journal={path}", f"-j{jobs}")
    found = call(*run, "--repeat=2", "--failures=0")
    assert found.exit_code == 1
    assert "1 flaky" in found.output
    journal = read_journal(path)
    assert verdicts_of(journal) == {**VERDICTS, VICTIM: "flaky"}
    for line in path.read_text("utf-8").splitlines():
        assert validator("journal.json").is_valid(json.loads(line))
    (cause,) = [
        c for c in causes_of(journal.verdicts, load_spec(tiny_spec)) if c.example.case == VICTIM
    ]
    assert cause.title.startswith("changes from run to run: ")


def test_pytest_repeats_too(tmp_path: Path, tiny_spec: Path) -> None:
    options = (
        "--impl=module:flaky",
        f"--spec={tiny_spec}",
        "--journal=flaky.jsonl",
        "-k",
        "victim",
    )
    found = run_pytest(*options, "--repeat=2", cwd=tmp_path)
    assert found.returncode == 1, found.stdout
    assert "changes from run to run (1 pass, 1 fail)" in found.stdout
    assert "1 flaky" in found.stdout
