"""What CI services show of a run: GitHub's annotations and job summary, JUnit, and lines of progress."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from gradspec.conformance.judging.verdict import Verdict
from gradspec.conformance.reporting.github import (
    cell,
    command,
    found_in,
    job_summary,
    workflow_commands,
)
from gradspec.conformance.reporting.junit import junit_of
from gradspec.conformance.running.progress import EVERY, Lines
from gradspec.conformance.running.runner import Options, Session, open_session
from suite_kit import VERDICTS, call, run_pytest

ON_GITHUB = {"GITHUB_ACTIONS": "true"}
KNOWN = "# Ours.\n- case: tiny.leaf/a-new-tensor\n  reason: It is none.\n"


@pytest.fixture
def session(tiny_spec: Path, liars: Path, tmp_path: Path) -> Iterator[Session]:
    known = tmp_path / "known.yaml"
    known.write_text(KNOWN, "utf-8")
    opened = open_session(Options("module:honest"), tiny_spec, known)
    yield opened
    opened.close()


@pytest.fixture
def verdicts(session: Session) -> list[Verdict]:
    return [session.run_case(case) for case in session.cases()]


def test_annotations(session: Session, verdicts: list[Verdict], tmp_path: Path) -> None:
    raised = next(verdict for verdict in verdicts if verdict.verdict == "fail")
    raised.kind, raised.where = "unexpected-error", "honest/tape.py:12"
    raised.observed = {"ended": {"type": "ValueError", "message": "50 % off:\nno"}}
    (tmp_path / "python" / "honest").mkdir(parents=True)
    (tmp_path / "python" / "honest" / "tape.py").touch()
    listed, error, notice = workflow_commands(session, verdicts, tmp_path, ON_GITHUB)
    assert listed.startswith("::error file=known.yaml,line=2,title=tiny.leaf/a-new-tensor passes::")
    assert error.startswith(
        "::error file=python/honest/tape.py,line=12,title=honest/tape.py%3A12 raises ValueError%3A 50 %25 off%3A no"
    )
    assert notice.startswith("::notice title=")
    assert "%0Areproduce: gradspec repro 'tiny.departs-apart/a-name' --impl=module:honest" in notice
    assert workflow_commands(session, verdicts, tmp_path, {}) == []


def test_what_a_message_holds_is_no_command() -> None:
    line = command("error", "a\n::set-env::b\r\x1b", title="x,y:z")
    assert line == "::error title=x%2Cy%3Az::a%0A::set-env::b\\r\\x1b"


def test_a_file_that_may_be_two_is_not_named(tmp_path: Path) -> None:
    for folder in ("one", "two", ".venv/lib", "node_modules"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "tape.py").touch()
    assert found_in(tmp_path, "tape.py:3") == ("", 0)
    (tmp_path / "two" / "tape.py").unlink()
    assert found_in(tmp_path, "tape.py:3") == ("one/tape.py", 3)
    assert found_in(tmp_path, "") == ("", 0)


def test_the_job_summary(session: Session, verdicts: list[Verdict]) -> None:
    text = job_summary(session, verdicts, success=False)
    assert text.startswith("### gradspec: module:honest 1.0 on cpu fails\n")
    assert "| MUST, documented or implied | 6 | 7 | 1 | 0 | 0 | 1 | 8 |" in text
    assert "gradspec repro 'tiny.departs/a-leaf-keeps-its-place' --impl=module:honest" in text
    assert cell("a|b <i>`c`") == "a&#124;b &lt;i>&#96;c&#96;"


def test_junit(session: Session, verdicts: list[Verdict]) -> None:
    verdicts[0].message = "\x00\ud800"
    (suite,) = ElementTree.fromstring(junit_of(session, verdicts))
    assert {name: suite.get(name) for name in ("tests", "failures", "skipped")} == {
        "tests": str(len(VERDICTS)), "failures": "2", "skipped": "2",
    }  # fmt: skip
    found = {f"{test.get('classname')}/{test.get('name')}": test for test in suite}
    assert list(found) == list(VERDICTS)
    assert found["tiny.leaf/a-new-tensor"][0].get("type") == "unexpected-pass"
    assert "MUST be told" in str(found["tiny.departs/a-leaf-keeps-its-place"][0].text)
    assert found["tiny.departs-apart/a-name"][0].tag == "skipped"


def test_both_commands_tell_github(
    tmp_path: Path, tiny_spec: Path, liars: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--impl=module:honest", f"--spec={tiny_spec}", "-k", "departs")
    monkeypatch.chdir(tmp_path)
    for name, value in {**ON_GITHUB, "GITHUB_STEP_SUMMARY": "one.md"}.items():
        monkeypatch.setenv(name, value)
    ours = call("run", *options, "--junit=junit.xml")
    theirs = run_pytest(*options, cwd=tmp_path, GITHUB_STEP_SUMMARY=str(tmp_path / "two.md"))
    lines = [[line for line in text.splitlines() if line.startswith("::")]
             for text in (ours.output, theirs.stdout)]  # fmt: skip
    assert lines[0] == lines[1]
    assert len(lines[0]) == 2
    assert (tmp_path / "one.md").read_text("utf-8") == (tmp_path / "two.md").read_text("utf-8")
    assert (tmp_path / "junit.xml").exists()


def test_a_line_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    shown = Lines(1000, clock=lambda: now[0])
    shown.advance(400)  # of the run that is resumed
    for _ in range(4):
        now[0] += EVERY / 2
        shown.advance(50, failed=True)
    assert capsys.readouterr().err.splitlines() == [
        "500 of 1000 cases, 2 failed, 5 min left",
        "600 of 1000 cases, 4 failed, 4 min left",
    ]
