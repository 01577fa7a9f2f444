"""Journals: what a killed run leaves behind, and how it goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from gradspec.adapters.framework.engine import Identity
from gradspec.conformance.judging.verdict import Verdict
from gradspec.conformance.running.journal import (
    JournalError,
    line_of,
    line_of_verdict,
    merge,
    read_journal,
)
from gradspec.conformance.running.journal_writer import JournalWriter
from suite_kit import (
    SUITE,
    VERDICTS,
    VICTIM,
    environment,
    gradspec,
    make_tiny_spec,
    run_pytest,
    run_python,
    verdicts_of,
)

RUNNABLE = len(VERDICTS)
AGAIN = 1
"""How many programs are run again in a whole run: the witness, after the one case with a refusal."""
BEFORE = list(VERDICTS).index(VICTIM)
HEADER: dict[str, Any] = {
    "gradspec": 1, "version": "1", "engine": {"name": "e"}, "spec": {"cases": 3}, "options": {},
}  # fmt: skip


PATIENCE = "--case-timeout=1.5"
"""What a case may take in runs that are cut short and go on: the same, or they cannot."""


def start(impl: str, spec: Path, cwd: Path, *more: str) -> subprocess.Popen[bytes]:
    """Start a run that will be cut short."""
    command = [
        sys.executable,
        "-m",
        "gradspec.conformance.cli",
        "run",
        f"--impl={impl}",
        f"--spec={spec}",
    ]
    return subprocess.Popen(
        [*command, "--journal=run.jsonl", PATIENCE, *more],
        cwd=cwd, env=environment(LIARS_COUNT=str(cwd / "count")), start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def programs(cwd: Path) -> int:
    """How many programs were run so far, in all processes."""
    path = cwd / "count"
    return len(path.read_text("utf-8").split()) if path.exists() else 0


def wait_for_the_victim(cwd: Path, killed: int = 0) -> None:
    """Wait until the case on which the engine sleeps has begun, after so many runs that were killed."""
    deadline = time.monotonic() + 20
    while programs(cwd) <= BEFORE + AGAIN + killed and time.monotonic() < deadline:
        time.sleep(0.01)
    assert programs(cwd) == BEFORE + AGAIN + killed + 1
    time.sleep(0.1)


@pytest.mark.parametrize("mode", ["here", "isolated"])
@pytest.mark.parametrize("front", ["command", "pytest"])
def test_a_killed_run_goes_on(mode: str, front: str, tiny_spec: Path, tmp_path: Path) -> None:
    """Nothing is lost, and nothing is run twice but the case that was running: it gets another chance
    before it is blamed, since whoever killed the run may have had other reasons. An engine in a
    process of its own cannot have taken the run with it, and is never blamed."""
    more = ["--isolate"] if mode == "isolated" else []
    for killed in range(2):
        again = ["--resume"] if killed else []
        process = start("module:liar:sleeps", tiny_spec, tmp_path, *more, *again)
        wait_for_the_victim(tmp_path, killed)
        process.kill()
        process.communicate()
        journal = read_journal(tmp_path / "run.jsonl")
        assert not journal.complete
        assert len(journal.verdicts) == BEFORE

    arguments = (
        "--impl=module:liar:sleeps",
        f"--spec={tiny_spec}",
        "--journal=run.jsonl",
        "--resume",
        PATIENCE,
    )
    count = {"LIARS_COUNT": str(tmp_path / "count")}
    if front == "command":
        found = gradspec("run", *arguments, *more, cwd=tmp_path, **count)
    else:
        found = run_pytest(*arguments, *more, cwd=tmp_path, **count)
    assert found.returncode == 1, found.stdout + found.stderr
    journal = read_journal(tmp_path / "run.jsonl")
    assert journal.complete
    blamed = {"here": "crash", "isolated": "timeout"}[mode]
    assert verdicts_of(journal) == {**VERDICTS, VICTIM: blamed}
    assert programs(tmp_path) == RUNNABLE + AGAIN + (1 if mode == "here" else 2)
    assert not (tmp_path / "run.jsonl.running").exists()


@pytest.mark.parametrize("front", ["command", "pytest"])
def test_no_innocent_is_blamed_for_a_run_that_was_killed(
    front: str, tiny_spec: Path, tmp_path: Path
) -> None:
    process = start("module:liar:sleeps", tiny_spec, tmp_path)
    wait_for_the_victim(tmp_path)
    process.kill()
    process.communicate()
    arguments = (
        "--impl=module:liar:sleeps",
        f"--spec={tiny_spec}",
        "--journal=run.jsonl",
        "--resume",
        PATIENCE,
    )
    if front == "command":
        gradspec("run", *arguments, cwd=tmp_path)
    else:
        run_pytest(*arguments, cwd=tmp_path)
    assert verdicts_of(read_journal(tmp_path / "run.jsonl")) == {**VERDICTS, VICTIM: "timeout"}


@pytest.mark.parametrize(("lie", "status"), [("kills_itself", -9), ("exits_with_3", 3)])
def test_an_engine_that_ends_the_whole_run(
    lie: str, status: int, tiny_spec: Path, tmp_path: Path
) -> None:
    process = start(f"module:liar:{lie}", tiny_spec, tmp_path)
    process.communicate()
    assert process.returncode == status
    assert len(read_journal(tmp_path / "run.jsonl").verdicts) == BEFORE
    arguments = (
        f"--impl=module:liar:{lie}",
        f"--spec={tiny_spec}",
        "--journal=run.jsonl",
        "--resume",
        PATIENCE,
    )
    found = gradspec("run", *arguments, cwd=tmp_path)
    assert found.returncode == status
    assert len(read_journal(tmp_path / "run.jsonl").verdicts) == BEFORE
    gradspec("run", *arguments, cwd=tmp_path)
    assert verdicts_of(read_journal(tmp_path / "run.jsonl")) == {**VERDICTS, VICTIM: "crash"}


def test_an_engine_that_exits_with_0_does_not_make_the_run_a_success(
    tiny_spec: Path, tmp_path: Path
) -> None:
    for front in (gradspec, run_pytest):
        arguments = (
            "--impl=module:liar:exits_with_0",
            f"--spec={tiny_spec}",
            "--journal=run.jsonl",
        )
        found = front(*(("run", *arguments) if front is gradspec else arguments), cwd=tmp_path)
        assert found.returncode not in (0, 2)
        assert not read_journal(tmp_path / "run.jsonl").complete


def test_no_process_outlives_a_killed_run_for_long(tiny_spec: Path, tmp_path: Path) -> None:
    process = start("module:liar:sleeps", tiny_spec, tmp_path, "--isolate", "--case-timeout=1.5")
    wait_for_the_victim(tmp_path)
    worker = int((tmp_path / "count").read_text("utf-8").split()[-1])
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 10
    while alive(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(worker)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat")
        return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")
    except ProcessLookupError:  # which reading raises too, where it ends meanwhile
        return False


@pytest.mark.parametrize("mode", ["here", "isolated"])
def test_ctrl_c_cuts_a_run_short(mode: str, tiny_spec: Path, tmp_path: Path) -> None:
    """The exit status is not 0, the journal says so, and no case is blamed."""
    more = ["--isolate"] if mode == "isolated" else []
    process = start("module:liar:sleeps", tiny_spec, tmp_path, *more)
    wait_for_the_victim(tmp_path)
    process.send_signal(signal.SIGINT)
    told = process.communicate()[0].decode()
    assert process.returncode == 130
    assert f"cut short after {BEFORE} of {RUNNABLE} cases" in told
    journal = read_journal(tmp_path / "run.jsonl")
    assert journal.footer is not None
    assert journal.footer["cut_short"]
    assert len(journal.verdicts) == BEFORE
    arguments = (
        "--impl=module:liar:sleeps",
        f"--spec={tiny_spec}",
        "--journal=run.jsonl",
        "--resume",
    )
    gradspec("run", *arguments, *more, PATIENCE, cwd=tmp_path)
    assert verdicts_of(read_journal(tmp_path / "run.jsonl")) == {**VERDICTS, VICTIM: "timeout"}


def test_a_thread_that_stays_does_not_hold_up_the_end(tiny_spec: Path, tmp_path: Path) -> None:
    arguments = ("--impl=module:liar:starts_a_thread_that_stays", f"--spec={tiny_spec}")
    found = gradspec("run", *arguments, "--journal=run.jsonl", cwd=tmp_path, timeout=20)
    assert "journal: " in found.stdout
    assert verdicts_of(read_journal(tmp_path / "run.jsonl")) == VERDICTS


def test_an_engine_that_changes_the_folder(tiny_spec: Path, tmp_path: Path) -> None:
    """Relative paths mean the folder where the run began."""
    arguments = (
        "--impl=module:liar:changes_the_folder",
        f"--spec={tiny_spec}",
        "--journal=run.jsonl",
    )
    gradspec("run", *arguments, "--report=report", cwd=tmp_path)
    assert (tmp_path / "report" / "report.html").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report", "run.jsonl"]


# --- resuming ---


def finished(spec: Path, cwd: Path, *more: str, impl: str = "module:honest") -> int:
    arguments = (f"--impl={impl}", f"--spec={spec}", "--journal=run.jsonl", *more)
    return gradspec("run", *arguments, cwd=cwd, LIARS_COUNT=str(cwd / "count")).returncode


def test_resuming_what_is_finished_runs_nothing(tiny_spec: Path, tmp_path: Path) -> None:
    finished(tiny_spec, tmp_path)
    before = (tmp_path / "run.jsonl").read_bytes()
    assert programs(tmp_path) == RUNNABLE + AGAIN
    assert finished(tiny_spec, tmp_path, "--resume") == 1
    assert (tmp_path / "run.jsonl").read_bytes() == before
    assert programs(tmp_path) == RUNNABLE + AGAIN


def test_resuming_with_nothing_there_is_an_ordinary_run(tiny_spec: Path, tmp_path: Path) -> None:
    finished(tiny_spec, tmp_path, "--resume")
    assert verdicts_of(read_journal(tmp_path / "run.jsonl")) == VERDICTS
    (tmp_path / "run.jsonl").write_bytes(b"")
    finished(tiny_spec, tmp_path, "--resume")
    assert verdicts_of(read_journal(tmp_path / "run.jsonl")) == VERDICTS


def test_a_torn_last_line_is_run_again(tiny_spec: Path, tmp_path: Path) -> None:
    finished(tiny_spec, tmp_path)
    whole = (tmp_path / "run.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    (tmp_path / "run.jsonl").write_bytes(b"".join(lines[:4]) + lines[4][:17])
    finished(tiny_spec, tmp_path, "--resume")
    assert verdicts_of(read_journal(tmp_path / "run.jsonl")) == VERDICTS
    assert programs(tmp_path) == RUNNABLE + AGAIN + RUNNABLE - 3


def test_a_journal_of_another_engine_or_specification_is_refused(
    tiny_spec: Path, tmp_path: Path
) -> None:
    finished(tiny_spec, tmp_path)
    before = (tmp_path / "run.jsonl").read_bytes()
    other = make_tiny_spec(tmp_path / "other")
    chapter = other / "behaviors" / "tiny.yaml"
    chapter.write_text(chapter.read_text("utf-8").replace("3.0", "7.0"), "utf-8")
    for front, first in ((gradspec, ("run",)), (run_pytest, ())):
        for spec, impl, what in (
            (tiny_spec, "module:liar:prints", "its engine is"),
            (other, "module:honest", "its spec is"),
        ):
            arguments = (f"--impl={impl}", f"--spec={spec}", "--journal=run.jsonl", "--resume")
            found = front(*first, *arguments, cwd=tmp_path)
            assert found.returncode == 2
            assert what in found.stdout + found.stderr
            assert (tmp_path / "run.jsonl").read_bytes() == before


KNOWN = "- {case: tiny.departs/a-leaf-keeps-its-place, reason: It is so.}\n"
OTHERS: dict[str, tuple[list[str], list[str], str]] = {
    "a list of known failures less": (["--known=k.yaml"], [], "another list of known failures"),
    "a list of known failures more": ([], ["--known=k.yaml"], "another list of known failures"),
    "less time": (["--case-timeout=9"], ["--case-timeout=2"], "--case-timeout=9.0, this run has --case-timeout=2.0"),
    "in a process": ([], ["--isolate"], "no --isolate, this run has --isolate"),
    "more memory": (
        ["--isolate", "--case-memory=900"], ["--isolate"], "--case-memory=900, this run has no --case-memory"
    ),
    "trust": ([], ["--trust-words"], "no --trust-words, this run has --trust-words"),
}  # fmt: skip


@pytest.mark.parametrize("front", ["command", "pytest"])
@pytest.mark.parametrize("name", OTHERS)
def test_a_journal_made_otherwise_is_not_taken_up(
    name: str, front: str, tiny_spec: Path, tmp_path: Path
) -> None:
    """No verdict is kept that this run might not give."""
    (tmp_path / "k.yaml").write_text(KNOWN, "utf-8")
    before, after, why = OTHERS[name]
    assert finished(tiny_spec, tmp_path, *before) == int("--known=k.yaml" not in before)
    lines = (tmp_path / "run.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "run.jsonl").write_bytes(b"".join(lines[:9]))
    arguments = [
        "--impl=module:honest",
        f"--spec={tiny_spec}",
        "--journal=run.jsonl",
        "--resume",
        *after,
    ]
    command = ["-m", "gradspec.conformance.cli", "run"]
    if front == "pytest":
        command = ["-m", "pytest", str(SUITE), "-c", "/dev/null", "--rootdir=."]
    found = run_python(*command, *arguments, cwd=tmp_path)
    assert found.returncode == 2
    assert why in found.stdout + found.stderr
    assert (tmp_path / "run.jsonl").read_bytes() == b"".join(lines[:9])
    assert finished(tiny_spec, tmp_path, "--resume", *before) == int("--known=k.yaml" not in before)


def test_known_failures_of_an_earlier_version_are_not_taken_up(
    tiny_spec: Path, tmp_path: Path
) -> None:
    """Its header does not say which list it had; without such a verdict it had none."""
    (tmp_path / "k.yaml").write_text(KNOWN, "utf-8")
    for more, status in (["--known=k.yaml"], 2), ([], 1):
        finished(tiny_spec, tmp_path, *more)
        header, *lines = (tmp_path / "run.jsonl").read_text("utf-8").splitlines()
        old = {name: value for name, value in json.loads(header).items() if name != "known"}
        (tmp_path / "run.jsonl").write_text("\n".join([json.dumps(old), *lines]) + "\n", "utf-8")
        assert finished(tiny_spec, tmp_path, "--resume") == status


def test_what_is_no_journal_is_refused(tiny_spec: Path, tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_text("my diary\nline two\n", "utf-8")
    assert finished(tiny_spec, tmp_path, "--resume") == 2
    assert (tmp_path / "run.jsonl").read_text("utf-8") == "my diary\nline two\n"


# --- the writer and the reader ---


def verdict(case: str, name: Any = "pass", **more: Any) -> Verdict:
    return Verdict(case, name, **more)


def test_finishing_twice_changes_nothing(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "j.jsonl", HEADER)
    writer.write(verdict("a.b/c"))
    footer = writer.finish(1)
    before = (tmp_path / "j.jsonl").read_bytes()
    assert writer.finish(1) == footer
    writer.close()
    assert (tmp_path / "j.jsonl").read_bytes() == before


def test_counts_that_do_not_add_up_are_cut_short(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "j.jsonl", HEADER)
    writer.write(verdict("a.b/c"))
    assert writer.finish(2)["cut_short"]
    assert not read_journal(tmp_path / "j.jsonl").complete


def test_a_run_that_left_out_cases_is_not_complete(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "j.jsonl", HEADER)
    writer.write(verdict("a.b/c"))
    assert "cut_short" not in writer.finish(1, deselected=2)
    assert not read_journal(tmp_path / "j.jsonl").complete


@pytest.mark.parametrize(
    "observed", [float("nan"), float("inf"), {"list": [float("-inf")]}, object(), {1, 2}, "\ud800"]
)
def test_whatever_was_observed_the_line_is_json(observed: Any, tmp_path: Path) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    writer = JournalWriter(tmp_path / "j.jsonl", HEADER)
    writer.write(verdict("a.b/c", "fail", observed=observed))
    writer.finish(1)
    for line in (tmp_path / "j.jsonl").read_text("utf-8").splitlines():
        json.loads(line, parse_constant=refuse)
    assert len(read_journal(tmp_path / "j.jsonl").verdicts) == 1


@pytest.mark.parametrize("case", ["a.b/c", 'é "\\ud800" \n'])
@pytest.mark.parametrize("seconds", [0.0, 1e-7, 0.0123456, 3, -1.0, 1e12, float("nan")])
@pytest.mark.parametrize("more", [{}, {"must": False}, {"message": "m"}, {"spoils": "a.b/d"}])
def test_a_case_that_passed_has_the_line_of_any_other(
    case: str, seconds: float, more: dict[str, Any]
) -> None:
    verdict = Verdict(case, "pass", seconds=seconds, **more)
    assert line_of_verdict(verdict) == line_of(verdict.to_json())


@pytest.mark.parametrize("kept", range(0, 400, 7))
def test_a_journal_cut_anywhere_can_be_read_or_is_refused(kept: int, tmp_path: Path) -> None:
    """Never is a verdict read that was not written."""
    writer = JournalWriter(tmp_path / "j.jsonl", HEADER)
    for number in range(3):
        writer.write(verdict(f"a.b/{number}"))
    writer.finish(3)
    path = tmp_path / "cut.jsonl"
    path.write_bytes((tmp_path / "j.jsonl").read_bytes()[:kept])
    try:
        journal = read_journal(path)
    except JournalError:
        assert kept <= len(json.dumps(HEADER))
        return
    assert [item.case for item in journal.verdicts] == [
        f"a.b/{n}" for n in range(len(journal.verdicts))
    ]


@pytest.mark.parametrize(
    "line",
    [
        "5",
        "[1]",
        '"case"',
        "null",
        '{"case": 5, "verdict": "pass"}',
        '{"case": "a", "verdict": "good"}',
        "{}",
    ],
)
def test_a_strange_line_is_refused_with_its_place(line: str, tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text(json.dumps(HEADER) + "\n" + line + "\n", "utf-8")
    with pytest.raises(JournalError, match=r"j\.jsonl:2"):
        read_journal(path)


def test_parts_of_one_run_are_merged(tmp_path: Path) -> None:
    parts = []
    for name, cases in (("one", ("a.b/0", "a.b/1")), ("two", ("a.b/1", "a.b/2"))):
        writer = JournalWriter(tmp_path / name, HEADER)
        for case in cases:
            writer.write(verdict(case))
        writer.finish(2, deselected=1)
        parts.append(read_journal(tmp_path / name))
    assert merge(parts).complete
    assert [item.case for item in merge(parts).verdicts] == ["a.b/0", "a.b/1", "a.b/2"]
    parts[1].verdicts[0].verdict = "fail"
    with pytest.raises(JournalError, match=r"a\.b/1 is pass in one journal and fail in"):
        merge(parts)
    parts[1].header = {**HEADER, "engine": {"name": "another"}}
    with pytest.raises(JournalError, match="differ in engine"):
        merge(parts)


def test_journals_go_where_they_are_expected() -> None:
    from gradspec.conformance.running.journal import journal_path

    def path(name: str, device: str = "cpu") -> str:
        return str(journal_path(Identity(name, "1", device=device)))

    assert path("reference") == "results/reference.jsonl"
    assert path("reference", "cuda") == "results/reference-cuda.jsonl"
    assert path("module:a/b") == "results/module_a_b.jsonl"


def resumed(front: str, spec: Path, cwd: Path, *more: str) -> subprocess.CompletedProcess[str]:
    arguments = ("--impl=module:honest", f"--spec={spec}", "--journal=run.jsonl", "--resume", *more)
    if front == "command":
        return gradspec("run", *arguments, cwd=cwd)
    return run_pytest(*arguments, cwd=cwd)


@pytest.mark.parametrize("front", ["command", "pytest"])
def test_a_resumed_choice_of_cases_counts_each_once(
    front: str, tiny_spec: Path, tmp_path: Path
) -> None:
    gradspec(
        "run", "--impl=module:honest", f"--spec={tiny_spec}", "--journal=run.jsonl", cwd=tmp_path
    )
    path = tmp_path / "run.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:4]))
    assert resumed(front, tiny_spec, tmp_path, "-k", VICTIM.rpartition("/")[2]).returncode == 0
    footer = read_journal(path).footer
    assert footer is not None
    assert footer["written"] == footer["collected"] == 4
    assert footer["deselected"] == len(VERDICTS) - 4


@pytest.mark.parametrize("front", ["command", "pytest"])
def test_a_verdict_on_no_case_is_not_taken_up(front: str, tiny_spec: Path, tmp_path: Path) -> None:
    gradspec(
        "run", "--impl=module:honest", f"--spec={tiny_spec}", "--journal=run.jsonl", cwd=tmp_path
    )
    path = tmp_path / "run.jsonl"
    lines = path.read_text().splitlines(keepends=True)[:4]
    path.write_text("".join(lines).replace("tiny.adds/two-passes", "tiny.adds/three-passes"))
    before = path.read_bytes()
    found = resumed(front, tiny_spec, tmp_path)
    assert found.returncode == 2
    assert "has no case 'tiny.adds/three-passes'" in found.stdout + found.stderr
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.glob("run.*")] == ["run.jsonl"]
