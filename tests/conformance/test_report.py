"""What the report says: that it is true, and that hostile text cannot change its form."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from gradspec.conformance.reporting.markup import breakable
from gradspec.conformance.reporting.report.data import build_report
from gradspec.conformance.reporting.report.markdown import code, markdown_of, plain, prose
from gradspec.conformance.running.journal import read_journal
from gradspec.conformance.text import printable
from gradspec.spec.load import load_spec
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from suite_kit import VICTIM, call, environment, renamed, run_pytest, strict, validator

pytestmark = pytest.mark.usefixtures("liars")


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
        assert "honest, compared with 1.0: 1 of 9 cases changed." in page, name
        assert ("module:honest, compared" in page) == (name == "report.md")


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


# --- what fails, and what is known to ---


def test_known_failures_are_listed_with_their_reasons(
    runs: Path, tiny_spec: Path, tmp_path: Path
) -> None:
    """An engine whose every failure is listed is not said to fail nothing."""
    lines = [json.loads(line) for line in (runs / "honest.jsonl").read_text("utf-8").splitlines()]
    for line in lines:
        if line.get("verdict") == "fail":
            line.update(verdict="known", reason="It copies too much. (https://example.org/1)")
    lines[-1]["counts"].update(fail=0, known=2)
    (tmp_path / "j.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    call("report", "j.jsonl", f"--spec={tiny_spec}")
    _, _, told = (tmp_path / "report" / "report.md").read_text("utf-8").partition(" fails\n")
    assert "Known failures, with their reasons:" in told
    reason = "It copies too much. (https\\://example.org/1)"
    assert f"- `tiny.departs/a-leaf-keeps-its-place`: {reason}\n" in told
    assert f"- `tiny.departs-apart/a-name` (scored separately): {reason}\n" in told
    assert "Nothing" not in told


def test_what_fails_nothing_is_said_to(runs: Path, tiny_spec: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in (runs / "honest.jsonl").read_text("utf-8").splitlines()]
    for line in lines[1:-1]:
        line["verdict"] = "pass"
    lines[-1]["counts"] = {"pass": 9}
    (tmp_path / "j.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    call("report", "j.jsonl", f"--spec={tiny_spec}")
    told = (tmp_path / "report" / "report.md").read_text("utf-8")
    assert told.endswith("fails\n\nNo failures.\n")


# --- hostile text in Markdown ---

TEXT = st.text(max_size=40) | st.lists(
    st.sampled_from(
        ["#", "- ", "1. ", "> ", "|", "`", "``", "```", "~~~", "*", "_", "**", "~~", "<b>", "<!--", "-->", "&lt;",
         "[a](http://x)", "![a](http://x)", "<http://x>", "http://x", "www.x.org", "[a]: http://x", "\\", "\n", "\r\n",
         "\n\n", "    ", "\t", "---", "===", "+ ", "$", "a", " ", "</script>", "\u2028", "[ ] "]),
    max_size=12,
).map("".join)  # fmt: skip
BLOCKS = {"heading_open", "tr_open", "td_open", "th_open", "list_item_open", "table_open", "bullet_list_open",
          "ordered_list_open", "paragraph_open"}  # fmt: skip
NEVER = {
    "html_block",
    "html_inline",
    "image",
    "link_open",
    "hr",
    "fence",
    "code_block",
    "blockquote_open",
}


def structure(markdown: str) -> Counter[str]:
    """How many blocks of each kind a page has, and what it must not have at all."""
    found: Counter[str] = Counter()
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown):
        for part in (token, *(token.children or ())):
            if part.type in BLOCKS | NEVER:
                found[part.type] += 1
    return found


@pytest.fixture(scope="module")
def honest_report(runs: Path, tiny_spec: Path) -> dict[str, Any]:
    spec = load_spec(tiny_spec)
    journals = [read_journal(runs / "honest.jsonl"), read_journal(runs / "dtype.jsonl")]
    return build_report(journals, spec, journals[0])


PLACES = ("name", "version", "device", "kind", "message", "reason", "title", "example", "statement",
          "folklore", "chapter", "case", "behavior", "key")  # fmt: skip


def with_text(report: dict[str, Any], texts: dict[str, str]) -> dict[str, Any]:
    """A report in which these texts stand wherever a text may come from others."""
    changed = deepcopy(report)
    for engine in changed["engines"]:
        engine.update({name: texts[name] for name in ("name", "version", "device")})
        for cause in engine["causes"]:
            cause.update(title=texts["title"], example=texts["example"])
    for about in changed["against"]:
        about["version"] = texts["version"]
    changed["changes"] = [
        {
            "engine": changed["engines"][0]["key"],
            "case": texts["case"],
            "before": "pass",
            "after": "fail",
        }
    ]
    for chapter in changed["chapters"]:
        chapter["title"] = texts["chapter"]
        for behavior in chapter["behaviors"]:
            behavior.update(id=texts["behavior"], statement=texts["statement"])
            behavior["folklore"] = behavior["folklore"] and (texts["folklore"] or "x")
            for case in behavior["cases"]:
                case["id"] = texts["case"]
                for result in case["results"].values():
                    result.update(
                        kind=texts["kind"], message=texts["message"], reason=texts["reason"]
                    )
    return changed


@settings(deadline=None, max_examples=50)
@given(texts=st.fixed_dictionaries(dict.fromkeys(PLACES, TEXT)))
def test_no_text_changes_the_form_of_the_page(
    texts: dict[str, str], honest_report: dict[str, Any]
) -> None:
    ordinary = dict.fromkeys(PLACES, "x")
    wanted = structure(markdown_of(with_text(honest_report, ordinary)))
    page = markdown_of(with_text(honest_report, texts))
    assert structure(page) == wanted, page
    assert not NEVER & wanted.keys()


@settings(deadline=None, max_examples=100)
@given(TEXT)
def test_text_in_markdown_shows_as_it_is(text: str) -> None:
    """What a reader sees is the text, but for its spaces."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    wanted = " ".join(printable(text).split())
    for shown, cell in ((plain(text), True), (code(text, cell=True), True), (code(text), False)):
        page = parser.parse(f"| a |\n|---|\n| x{shown}x |\n" if cell else f"- x{shown}x\n")
        (line,) = [token for token in page if token.type == "inline" and token.content[:1] == "x"]
        seen = "".join(part.content for part in line.children or ())
        assert " ".join(seen.split()) == " ".join(f"x{wanted}x".split()) or shown[:1] == "`"
        if shown[:1] == "`":
            (span,) = [part.content for part in line.children or () if part.type == "code_inline"]
            assert " ".join(span.split()) == wanted


def test_what_stands_in_backquotes_stays_code() -> None:
    assert prose("`x.grad` is <b>zero</b>") == "`x.grad` is \\<b\\>zero\\</b\\>"
    assert prose("one ` alone") == "one \\` alone"


# --- files ---


def old_report(folder: Path) -> dict[str, bytes]:
    """A report as an earlier call may have left it."""
    folder.mkdir()
    for name in ("report.html", "report.md", "report.json"):
        (folder / name).write_text("old", "utf-8")
    return contents(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def full(*arguments: object) -> None:
    """A disk on which there is no room."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def refused(*arguments: object) -> str:
    """What a command says that ends with status 2."""
    found = call(*arguments)
    assert found.exit_code == 2, found.output
    assert found.output.count("\n") == 1
    return found.output


@pytest.mark.parametrize("failing", ["write", "replace"])
def test_a_full_disk_leaves_the_old_report(
    failing: str, runs: Path, tiny_spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = old_report(tmp_path / "report")
    where = {"write": "gradspec.conformance.files.os.fdopen", "replace": "pathlib.Path.replace"}
    monkeypatch.setattr(where[failing], full)
    told = refused("report", runs / "honest.jsonl", f"--spec={tiny_spec}")
    assert "cannot be written: No space left on device" in told
    monkeypatch.undo()
    assert contents(tmp_path / "report") == old


def test_a_file_that_may_not_grow_leaves_the_old_report(
    runs: Path, tiny_spec: Path, tmp_path: Path
) -> None:
    """The operating system refuses in the middle of a file."""
    old = old_report(tmp_path / "report")
    command = f"ulimit -f 8; exec {sys.executable} -B -m gradspec.conformance.cli report {runs / 'honest.jsonl'}"
    found = subprocess.run(
        ["bash", "-c", f"{command} --spec={tiny_spec}"],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.returncode == 2, found.stderr
    assert "report.html cannot be written: File too large" in found.stderr
    assert found.stderr.count("\n") == 1
    assert contents(tmp_path / "report") == old


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("file", "file/report.html cannot be written: File exists"),
        ("file/report", "Not a directory"),
        ("a" * 300, "File name too long"),
        ("held", "held/report.md cannot be written: it is a folder"),
    ],
)
def test_where_no_report_can_be_written(
    output: str, told: str, runs: Path, tiny_spec: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine", "utf-8")
    (tmp_path / "held" / "report.md").mkdir(parents=True)
    journal = runs / "honest.jsonl"
    assert told in refused("report", journal, "-o", output, f"--spec={tiny_spec}")
    found = call("run", "--impl=module:honest", f"--report={output}", f"--spec={tiny_spec}")
    assert found.exit_code == 2
    assert told in found.output
    assert read_journal(tmp_path / "results" / "module_honest.jsonl").complete
    assert (tmp_path / "file").read_text("utf-8") == "mine"
    assert [path.name for path in (tmp_path / "held").iterdir()] == ["report.md"]


def test_pytest_says_where_no_report_can_be_written(tiny_spec: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", "utf-8")
    options = ("--impl=module:honest", f"--spec={tiny_spec}", "--report=file", "--journal=j.jsonl")
    found = run_pytest(*options, cwd=tmp_path)
    assert found.returncode == 2
    assert "gradspec: " in found.stdout
    assert "file/report.html cannot be written: File exists" in found.stdout
    assert "INTERNALERROR" not in found.stdout + found.stderr
    assert read_journal(tmp_path / "j.jsonl").complete


@pytest.mark.parametrize("command", [["export"], ["repro", VICTIM]], ids=["export", "repro"])
def test_other_results_are_written_whole_too(
    command: list[str], tiny_spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = (*command, f"--spec={tiny_spec}", "-o")
    (tmp_path / "real").write_text("old", "utf-8")
    (tmp_path / "link").symlink_to("real")
    assert "it is a folder" in refused(*arguments, tmp_path)
    assert call(*arguments, "/dev/null").exit_code == 0
    assert Path("/dev/null").is_char_device()
    with monkeypatch.context() as patch:
        patch.setattr("gradspec.conformance.files.os.fdopen", full)
        assert "No space left on device" in refused(*arguments, "link")
    assert (tmp_path / "real").read_text("utf-8") == "old"
    assert call(*arguments, "link").exit_code == 0
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text("utf-8") == call(*arguments[:-1]).stdout
    assert {path.name for path in tmp_path.iterdir()} == {"real", "link"}


def test_a_long_name_is_broken_between_its_words() -> None:
    assert breakable("TensorFlow.js") == "Tensor<wbr>Flow<wbr>.js"
    assert breakable("1.13.1+cu117") == "1.13.1+<wbr>cu117"
    assert breakable("module:<b>") == "module:<wbr>&lt;b&gt;"


def test_many_engines_have_short_heads(runs: Path, tiny_spec: Path, tmp_path: Path) -> None:
    """Nothing of ours in them is escaped as if an engine had said it."""
    names = [f"engine {number}" for number in range(8)]
    journals = [renamed(runs / "dtype.jsonl", tmp_path / f"{name}.jsonl", name) for name in names]
    call("report", *journals, f"--spec={tiny_spec}")
    page = (tmp_path / "report" / "report.html").read_text("utf-8")
    heads = page.split('<table class="heat')[1].split("</thead>")[0]
    assert len(re.findall(r"<b>[0-9.]+%</b> of [0-9.]+%", heads)) == len(names)
    assert "\\x" not in heads
