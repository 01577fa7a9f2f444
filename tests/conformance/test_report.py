"""What the report says: that it is true, and that hostile text cannot change its form."""

from __future__ import annotations

from pathlib import Path

import pytest
from suite_kit import VICTIM, call, renamed, strict, validator


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# --- what changed since an earlier run ---


def test_what_changed_since(runs: Path, tiny_spec: Path, tmp_path: Path) -> None:
    """Beside other engines, and told of the one engine of which the earlier run was."""
    later = renamed(runs / "dtype.jsonl", tmp_path / "later.jsonl", "module:honest")
    arguments = (runs / "markup.jsonl", later, f"--against={runs / 'honest.jsonl'}")
    assert call("report", *arguments, f"--spec={tiny_spec}").exit_code == 0
    report = strict((tmp_path / "report" / "report.json").read_text("utf-8"))
    validator("report.json").validate(report)
    change = {"engine": "module-honest", "case": VICTIM, "before": "pass", "after": "fail"}
    assert report["changes"] == [change]
    (about,) = report["against"]
    assert (about["engine"], about["compared"], about["not_run"]) == ("module-honest", 9, 0)
    for name in ("report.html", "report.md"):
        page = (tmp_path / "report" / name).read_text("utf-8")
        assert "module:honest unknown, compared with 1.0: 1 of 9 cases changed." in page, name


def test_what_did_not_change_is_said_too(runs: Path, tiny_spec: Path, tmp_path: Path) -> None:
    journal = runs / "honest.jsonl"
    call("report", journal, f"--against={journal}", f"--spec={tiny_spec}")
    assert "0 of 9 cases changed" in (tmp_path / "report" / "report.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (slice(0, 5), "was cut short; finish it with --resume"),
        (slice(0, None), "is of module:honest on cpu, and of these journals none is"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    lines: slice, told: str, runs: Path, tiny_spec: Path, tmp_path: Path
) -> None:
    old = (runs / "honest.jsonl").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "old.jsonl").write_text("".join(old[lines]), "utf-8")
    now = runs / ("honest.jsonl" if lines.stop else "dtype.jsonl")
    found = call("report", now, runs / "markup.jsonl", "--against=old.jsonl", f"--spec={tiny_spec}")
    assert found.exit_code == 2
    assert told in found.output
    assert found.output.count("\n") == 1
    assert not (tmp_path / "report").exists()


def test_cases_that_were_not_run_did_not_change(
    runs: Path, tiny_spec: Path, tmp_path: Path
) -> None:
    whole = (runs / "honest.jsonl").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "part.jsonl").write_text("".join(whole[:5]), "utf-8")
    call("report", "part.jsonl", f"--against={runs / 'honest.jsonl'}", f"--spec={tiny_spec}")
    report = strict((tmp_path / "report" / "report.json").read_text("utf-8"))
    assert report["changes"] == []
    assert report["against"][0]["not_run"] == 5
    told = "5 cases of the earlier run have no verdict in this one"
    assert told in (tmp_path / "report" / "report.md").read_text("utf-8")


def test_runs_of_different_profiles_are_not_compared(runs: Path, tmp_path: Path) -> None:
    text = (runs / "honest.jsonl").read_text("utf-8")
    chosen = text.replace('"options": {', '"options": {"profile": "core", ', 1)
    (tmp_path / "core.jsonl").write_text(chosen, "utf-8")
    found = call("diff", "core.jsonl", runs / "honest.jsonl")
    assert found.exit_code == 2
    assert "different cases (the profile core and all cases)" in found.output
    assert call("diff", "core.jsonl", "core.jsonl").exit_code == 0
