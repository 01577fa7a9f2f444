"""Journals that are none: each is refused in one line, whoever reads it, and left as it is."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gradspec.conformance.running.journal import JournalError, read_journal
from suite_kit import VERDICTS, call, strict, validator, verdicts_of

pytestmark = pytest.mark.usefixtures("liars")
Lines = list[dict[str, Any]]
Change = Callable[[Lines], "bytes | Lines"]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def lines(runs: Path) -> Lines:
    """The good journal of nine cases from which the others are made."""
    return [json.loads(line) for line in (runs / "honest.jsonl").read_text("utf-8").splitlines()]


def written(lines: Lines) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def header(**fields: Any) -> Change:
    return lambda lines: [{**lines[0], **fields}, *lines[1:]]


def engine(**fields: Any) -> Change:
    return lambda lines: [{**lines[0], "engine": {**lines[0]["engine"], **fields}}, *lines[1:]]


def spec(**fields: Any) -> Change:
    return lambda lines: [{**lines[0], "spec": {**lines[0]["spec"], **fields}}, *lines[1:]]


def verdict(**fields: Any) -> Change:
    return lambda lines: [lines[0], {**lines[1], **fields}, *lines[2:]]


def footer(**fields: Any) -> Change:
    return lambda lines: [*lines[:-1], {**lines[-1], **fields}]


def without(number: int, name: str) -> Change:
    def change(lines: Lines) -> Lines:
        del lines[number][name]
        return lines

    return change


def line_3(text: bytes) -> Change:
    return lambda lines: written(lines[:2]) + text + b"\n" + written(lines[3:])


DEEP = b'{"case": "a.b/c", "observed": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
HOSTILE: dict[str, tuple[Change, str]] = {
    "an empty file": (lambda lines: b"", "is empty"),
    "blank lines": (lambda lines: b"\n \n\n", "is empty"),
    "a torn header": (lambda lines: written(lines)[:40], ":1: expected a journal's header"),
    "no header": (lambda lines: lines[1:], ":1: expected the header of a journal in format 1"),
    "another format": (header(gradspec=2), ":1: expected the header of a journal in format 1"),
    "a format that is true": (header(gradspec=True), ":1: expected the header"),
    "two headers": (lambda lines: [lines[0], *lines], ":2: expected a verdict or a footer, found a second header"),
    "an engine that is a number": (header(engine=3), ":1: expected engine to be an object, found 3"),
    "an engine without a name": (header(engine={}), ":1: expected engine.name to be an engine's name, found none"),
    "a name that is a list": (engine(name=["a"]), ":1: expected engine.name to be an engine's name, found ['a']"),
    "a version that is a number": (engine(version=2.1), ":1: expected engine.version to be text, found 2.1"),
    "a device that is null": (engine(device=None), ":1: expected engine.device to be text"),
    "features that are an object": (engine(features={}), ":1: expected engine.features to be null or a list"),
    "features that are numbers": (engine(features=[1]), ":1: expected engine.features to be null or a list"),
    "a spec that is text": (header(spec="x"), ":1: expected spec to be an object, found 'x'"),
    "a spec of minus one case": (header(spec={"cases": -1}), ":1: expected spec.cases to be a count, found -1"),
    "options that are a list": (header(options=[]), ":1: expected options to be an object, found []"),
    "an impl that is a number": (header(options={"impl": 3}), ":1: expected options.impl to be text, found 3"),
    "no options": (without(0, "options"), ":1: expected options to be an object, found none"),
    "no UTF-8": (line_3(b'{"case": "\xff\xfe"}'), ":3: expected a verdict or a footer"),
    "a binary file": (lambda lines: bytes(range(256)) * 40, ":1: expected a journal's header"),
    "zeros": (lambda lines: bytes(4096), ":1: expected a journal's header"),
    "zeros within": (line_3(bytes(80)), ":3: expected a verdict or a footer"),
    "UTF-16": (lambda lines: written(lines).decode().encode("utf-16"), ":1: expected a journal's header"),
    "a line cut off within": (line_3(b'{"case": "a.b/c", "verd'), ":3: expected a verdict or a footer"),
    "two lines in one": (line_3(b"{}{}"), ":3: expected a verdict or a footer, found '{}{}'"),
    "nothing in an object": (line_3(b"{}"), ":3: expected a verdict or a footer, found '{}'"),
    "deep nesting": (line_3(DEEP), ":3: expected a verdict or a footer"),
    "a number of 5000 digits": (line_3(b'{"case": 1' + b"0" * 5000 + b"}"), ":3: expected a verdict or a footer"),
    "not a number": (line_3(b'{"case": "a.b/c", "seconds": NaN}'), ":3: expected a verdict or a footer"),
    "a case that is a number": (verdict(case=5), ":2: expected case to be a case's id, found 5"),
    "a case without an id": (verdict(case=""), ":2: expected case to be a case's id"),
    "a case that is very long": (verdict(case="a" * 10_000), ":2: expected case to be a case's id, found 'aaa"),
    "a verdict of no kind": (verdict(verdict="good"), ":2: expected verdict to be one of pass, fail"),
    "a verdict that is a list": (verdict(verdict=[]), ":2: expected verdict to be one of pass, fail"),
    "a verdict without must": (without(1, "must"), ":2: expected must to be true or false, found none"),
    "must that is text": (verdict(must="no"), ":2: expected must to be true or false, found 'no'"),
    "a message that is an object": (verdict(message={}), ":2: expected message to be text, found {}"),
    "a kind that is null": (verdict(kind=None), ":2: expected kind to be text, found None"),
    "a reason that is a number": (verdict(reason=1), ":2: expected reason to be text, found 1"),
    "spoils that is true": (verdict(spoils=True), ":2: expected spoils to be text, found True"),
    "a line that is text": (verdict(line="3"), ":2: expected line to be a count, found '3'"),
    "a line beyond all files": (verdict(line=10**40), ":2: expected line to be a count, found 1000"),
    "setup that is a number": (verdict(setup=1), ":2: expected setup to be true or false, found 1"),
    "seconds that are text": (verdict(seconds="1"), ":2: expected seconds to be a number of seconds, found '1'"),
    "seconds before the start": (verdict(seconds=-1), ":2: expected seconds to be a number of seconds, found -1"),
    "seconds without end": (verdict(seconds=10**400), ":2: expected seconds to be a number of seconds"),
    "two verdicts on one case": (
        lambda lines: [*lines[:2], {**lines[1], "verdict": "fail"}, *lines[2:]],
        "is fail here and pass in line 2",
    ),
    "a footer without counts": (footer(counts=7), ":11: expected counts to be an object of counts, found 7"),
    "a footer of minus one": (footer(written=-1), ":11: expected written to be a count, found -1"),
    "a footer that counts more": (
        footer(written=10),
        "expected the footer to count the 9 verdicts above it, found written 10",
    ),
    "counts of something else": (footer(counts={"pass": 10**8}), "expected the footer to count the 9 verdicts"),
    "counts of other verdicts": (
        footer(counts={"pass": 9}), ":11: expected counts.pass to be 6, as in the verdicts above, found 9",
    ),
    "counts of no kind": (
        footer(counts={"pass": 6, "fail": 2, "unsupported": 0, "good": 1}),
        ":11: expected counts.unsupported to be 1, as in the verdicts above, found 0",
    ),
    "cases that were collected and lost": (
        footer(collected=12), ":11: expected a run that is not cut_short to have written all it collected",
    ),
    "cases that nobody left out": (spec(cases=12), ":11: expected collected and deselected to come to the 12 cases"),
    "more cases than there are": (spec(cases=3), ":11: expected collected and deselected to come to the 3 cases"),
    "a verdict that is two": (
        line_3(b'{"case": "a.b/c", "verdict": "pass", "verdict": "fail"}'),
        ":3: expected each key once, found 'verdict' twice",
    ),
    "a known list that is a number": (header(known=3), ":1: expected known to be text, found 3"),
    "a footer of another format": (footer(gradspec=9), ":11: expected gradspec to be 1, found 9"),
    "cut_short that is text": (footer(cut_short="no"), ":11: expected cut_short to be true or false"),
    "a lost verdict": (lambda lines: [*lines[:4], *lines[5:]], "lines were lost or added"),
    "escape sequences": (
        line_3(b"\x1b]0;owned\x07\xc2\x9b31m"),
        r":3: expected a verdict or a footer, found '\x1b]0;owned\x07\x9b31m'",
    ),
}  # fmt: skip


def hostile(name: str, lines: Lines) -> bytes:
    made = HOSTILE[name][0](lines)
    return made if isinstance(made, bytes) else written(made)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_journal_is_refused(
    name: str, lines: Lines, runs: Path, tiny_spec: Path, tmp_path: Path
) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(hostile(name, lines))
    before = path.read_bytes()
    good = runs / "honest.jsonl"
    run = ("run", "--impl=module:honest", f"--spec={tiny_spec}", "--journal=j.jsonl", "--resume")
    spec = f"--spec={tiny_spec}"
    calls = [
        ("report", "j.jsonl", spec), ("report", good, "j.jsonl", spec),
        ("report", good, "--against=j.jsonl", spec), ("diff", "j.jsonl", good), ("diff", good, "j.jsonl"),
    ]  # fmt: skip
    if before:  # with nothing in it, --resume is an ordinary run
        calls.append(run)
    for arguments in calls:
        found = call(*arguments)
        assert found.exit_code == 2, (arguments, found.output)
        assert HOSTILE[name][1] in found.output, arguments
        assert found.output.startswith("gradspec: ")
        assert found.output.count("\n") == 1
        assert found.output.rstrip("\n").isprintable()
        assert len(found.output) < 600
        assert path.read_bytes() == before
    assert {item.name for item in tmp_path.iterdir()} == {"j.jsonl"}


def test_the_battery_is_large_enough() -> None:
    assert len(HOSTILE) >= 40


@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "nothing", "long"])
def test_what_is_no_file_is_no_journal(kind: str, runs: Path, tiny_spec: Path) -> None:
    path = {"device": "/dev/zero", "long": "a" * 5000}.get(kind, "j.jsonl")
    if kind == "folder":
        Path(path).mkdir()
    if kind == "pipe":
        os.mkfifo(path)
    for arguments in (
        ("report", path, f"--spec={tiny_spec}"), ("diff", path, runs / "honest.jsonl"),
        ("report", runs / "honest.jsonl", "--against", path, f"--spec={tiny_spec}"),
    ):  # fmt: skip
        found = call(*arguments)
        assert found.exit_code == 2
        assert found.output.count("\n") == 1
        assert "is not a regular file" in found.output or "cannot be read" in found.output


@pytest.mark.parametrize("cut", [1, 5, 40, 100])
def test_a_torn_last_line_is_passed_over(cut: int, lines: Lines, tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(written(lines[:5]) + written(lines[5:6])[:cut])
    assert len(read_journal(path).verdicts) == 4


def test_zeros_at_the_end_are_a_torn_line(lines: Lines, tmp_path: Path) -> None:
    """A file system may leave them behind after a loss of power."""
    path = tmp_path / "j.jsonl"
    path.write_bytes(written(lines[:5]) + bytes(512))
    assert len(read_journal(path).verdicts) == 4


def test_the_same_verdict_twice_counts_once(lines: Lines, tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(written([*lines[:2], lines[1], *lines[2:]]))
    assert verdicts_of(read_journal(path)) == VERDICTS


def test_a_line_without_end_is_refused_before_it_fills_the_memory(
    lines: Lines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gradspec.conformance.running.journal_reading.LONGEST_READ", 1 << 12)
    path = tmp_path / "j.jsonl"
    path.write_bytes(written(lines[:2]) + b"[" * 10_000)
    with pytest.raises(
        JournalError, match=r"j\.jsonl:3: expected a line of a journal, found one of more"
    ):
        read_journal(path)


# --- edited, and well-formed ---

FAILS = 7
"""The line of `tiny.departs`, the only MUST that the honest engine fails."""


def test_the_specification_says_what_must_be(lines: Lines, tiny_spec: Path) -> None:
    """Not the journal: nobody turns a failure into one that is scored separately."""
    assert (lines[FAILS]["verdict"], lines[FAILS]["must"]) == ("fail", True)
    lines[FAILS]["must"] = False
    Path("j.jsonl").write_bytes(written(lines))
    assert call("report", "j.jsonl", f"--spec={tiny_spec}").exit_code == 0
    (engine,) = strict(Path("report/report.json").read_text("utf-8"))["engines"]
    assert engine["scores"]["must"] == {"passed": 6, "attempted": 7, "all": 8, "setup": 0}
    run = ("run", "--impl=module:honest", f"--spec={tiny_spec}", "--journal=j.jsonl", "--resume")
    found = call(*run)
    assert found.exit_code == 1
    assert "6 / 7 / 8" in found.output


@pytest.mark.parametrize("same", [True, False])
def test_no_verdict_vanishes_from_the_report(same: bool, lines: Lines, tiny_spec: Path) -> None:
    lines[FAILS]["case"] = "tiny.gone/a-case"
    if not same:
        lines[0]["spec"]["digest"] = "another"
    Path("j.jsonl").write_bytes(written(lines))
    assert call("report", "j.jsonl", f"--spec={tiny_spec}").exit_code == 0
    report = strict(Path("report/report.json").read_text("utf-8"))
    validator("report.json").validate(report)
    (engine,) = report["engines"]
    assert (engine["strange"], engine["strange_failures"]) == (1, 1)
    assert engine["badge"]["color"] != "brightgreen"
    what = "the specification" if same else "this version of the specification"
    for name in ("report.md", "report.html"):
        page = Path("report", name).read_text("utf-8")
        assert f"1 verdict left out (1 failed): {what} does not have their cases" in page


def test_a_verdict_on_a_case_that_is_not_there_is_not_taken_up(
    lines: Lines, tiny_spec: Path
) -> None:
    lines[FAILS]["case"] = "tiny.gone/a-case"
    Path("j.jsonl").write_bytes(written(lines))
    run = ("run", "--impl=module:honest", f"--spec={tiny_spec}", "--journal=j.jsonl", "--resume")
    found = call(*run)
    assert found.exit_code == 2
    assert "has no case 'tiny.gone/a-case'" in found.output
    assert Path("j.jsonl").read_bytes() == written(lines)


def test_a_journal_of_one_profile_is_whole(lines: Lines, tmp_path: Path) -> None:
    """Only the run knows how many cases a profile has."""
    lines[0]["spec"]["cases"] = 12
    lines[0]["options"]["profile"] = "core"
    (tmp_path / "j.jsonl").write_bytes(written(lines))
    assert read_journal(tmp_path / "j.jsonl").complete


# --- hostile text in well-formed journals ---

TEXTS = {
    "lone surrogate": "\ud800 and \udfff",
    "zero": "a\0b",
    "escapes": "\x1b[2J\x1b]0;owned\x07 \x9b31m",
    "bidirectional": "a\u202eb\u2066c",
    "separators": "a\u2028b\u2029c\x85d\rе",
    "HTML": "<!--<script>alert(1)</script><img src=x onerror=alert(1)>]]>",
    "Markdown": "\n# heading\n\n| a | b |\n|---|---|\n![x](http://x) `` ` [l](http://x)",
    "template": "{{ 7 * 7 }}{% raw %}",
    "long": "x" * 200_000,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_hostile_text_survives_every_command(
    text: str, lines: Lines, tiny_spec: Path, tmp_path: Path
) -> None:
    lines[0]["engine"].update(name=text, version=text, device=text, language=text)
    lines[0]["options"]["impl"] = text
    for line in lines[1:-1]:
        kind = {"unexpected-error": "unexpected-error"}.get(line["kind"], text)
        line.update(
            verdict="fail", kind=kind, message=text, observed=text, expected=text, where=text
        )
        line.update(reason=text, spoils=text, blamed_on=text)
    lines[1]["verdict"] = "known"
    lines[2].update(verdict="unsupported", message=f"needs {text}")
    lines[-1]["counts"] = {"fail": 7, "known": 1, "unsupported": 1}
    Path("j.jsonl").write_bytes(written(lines))
    counts = {"fail": 6, "crash": 1, "known": 1, "unsupported": 1}
    end = {**lines[-1], "counts": counts}
    crashed = [*lines[:3], {**lines[3], "verdict": "crash"}, *lines[4:-1], end]
    Path("k.jsonl").write_bytes(written(crashed))
    lines[0]["engine"]["features"] = ["another"]
    Path("l.jsonl").write_bytes(written(lines))
    found = call("report", "j.jsonl", "l.jsonl", "--against=k.jsonl", f"--spec={tiny_spec}")
    assert found.exit_code == 0, found.output
    report = strict(Path("report/report.json").read_text("utf-8"))
    validator("report.json").validate(report)
    assert len(report["changes"]) == 2
    for path in Path("report").iterdir():
        assert len(path.name) < 100
        if path.suffix == ".png":
            continue
        page = path.read_bytes().decode()  # each is UTF-8
        assert all(c.isprintable() or c in "\n\t" for c in page), path
    page = Path("report/report.html").read_text("utf-8")
    for opening in ("<!--", "<script>alert", "<img"):
        assert opening not in page
    assert page.rstrip().endswith("</html>")
    for island in re.findall(
        r'<script type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL
    ):
        strict(island)
    assert found.output.count("\n") == len(list(Path("report").iterdir()))
    assert all(line.isprintable() for line in found.output.splitlines())
    different = call("diff", "j.jsonl", "k.jsonl")
    assert different.exit_code == 1
    assert "1 of 9 cases differ" in different.output


# --- the schema says the same ---


def test_the_schema_takes_what_a_run_writes(lines: Lines) -> None:
    schema = validator("journal.json")
    for line in lines:
        schema.validate(line)


@pytest.mark.parametrize("name", HOSTILE)
def test_the_schema_refuses_each_line_that_reading_refuses(name: str, lines: Lines) -> None:
    """Where one line by itself is wrong; the schema knows nothing of the others."""
    made = HOSTILE[name][0](lines)
    if isinstance(made, bytes) or "found a second" in HOSTILE[name][1] or name in OF_SEVERAL_LINES:
        return
    schema = validator("journal.json")
    assert not all(schema.is_valid(line) for line in made)


OF_SEVERAL_LINES = {
    "no header", "two verdicts on one case", "a lost verdict", "a footer that counts more",
    "counts of something else", "counts of other verdicts", "counts of no kind", "cases that nobody left out",
    "cases that were collected and lost", "more cases than there are",
}  # fmt: skip
