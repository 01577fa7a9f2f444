"""Every malformed specification is refused where its fault stands, and never by a crash.

`malformed/KIND/*.yaml` are chapters and tables with one fault each. The comments at their top say
what must be reported, in order:

    # expect: 7:12 part of the message | part of the hint

with the line alone where the column depends on the interpreter, and `...` where more may follow.
"""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from gradspec.spec.problems import Problem
from gradspec.spec.reading import yaml_reader

from .folders import behavior, chapter, make_folder, problems_of

MALFORMED = Path(__file__).with_name("malformed")
FILES = sorted(MALFORMED.rglob("*.yaml"))
SECONDS = 2.0
_EXPECT = re.compile(r"# expect: (?:(\d+)(?::(\d+))? )?(.*?)(?: \| (.*))?")


@dataclass
class Wanted:
    """What one `# expect:` comment asks for."""

    line: int
    column: int
    message: str
    hint: str

    def fits(self, problem: Problem) -> bool:
        place = problem.place
        return (
            self.line in (0, place.line)
            and self.column in (0, place.column)
            and self.message in problem.message
            and self.hint in problem.hint
        )


def wanted_of(path: Path) -> tuple[list[Wanted], bool]:
    """What a malformed file expects, and whether more may be reported than it lists."""
    wanted: list[Wanted] = []
    for line in path.read_text("utf-8").splitlines():
        found = _EXPECT.fullmatch(line)
        if found is None:
            break
        if found[3] == "...":
            return wanted, True
        wanted.append(Wanted(int(found[1] or 0), int(found[2] or 0), found[3], found[4] or ""))
    return wanted, False


def place_in_folder(path: Path) -> str:
    """Where a malformed file stands in the specification folder that it spoils."""
    kind = path.parent.name
    return "behaviors/sample.yaml" if kind == "chapter" else f"{kind}.yaml"


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_fault_is_reported_in_its_place(path: Path, tmp_path: Path) -> None:
    name = place_in_folder(path)
    root = make_folder(tmp_path / "spec", {name: path.read_bytes()})
    begun = time.process_time()
    problems = problems_of(root)
    seconds = time.process_time() - begun
    wanted, more = wanted_of(path)
    shown = "\n".join(map(str, problems)) or "nothing is wrong"
    assert wanted, "the file lacks its `# expect:` comment"
    assert len(problems) >= len(wanted), shown
    assert more or len(problems) == len(wanted), shown
    for each, problem in zip(wanted, problems, strict=False):
        assert each.fits(problem), f"expected {each}, found {problem}"
        assert Path(problem.place.file) == root / name
    assert seconds < SECONDS


MISTAKES = [path for path in FILES if path.stem.startswith("mistake-")]


@pytest.mark.parametrize("path", MISTAKES, ids=lambda path: path.stem)
def test_mistake_is_told_alike_without_the_parser_in_c(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml_reader, "_Loader", yaml.Loader)
    root = make_folder(tmp_path / "spec", {"behaviors/sample.yaml": path.read_bytes()})
    wanted, _ = wanted_of(path)
    problems = problems_of(root)
    assert len(problems) == len(wanted)
    for each, problem in zip(wanted, problems, strict=True):
        assert each.fits(problem), f"expected {each}, found {problem}"


def test_there_are_many() -> None:
    assert len(FILES) >= 250


# Files that cannot hold a comment.
BYTES = {
    "empty": (b"", "1:1 the file is empty", ""),
    "latin-1": (
        "title: Für\n".encode("latin-1"),
        "1:9 expected UTF-8 text",
        "save the file as UTF-8",
    ),
    "latin-1 further on": (
        "# Müll\ntitle: für\n".encode() + "x: für".encode("latin-1"),
        "3:5 expected UTF-8 text",
        "save the file as UTF-8",
    ),
    "utf-16": (
        "title: Sample\n".encode("utf-16"),
        "1:1 expected UTF-8 text",
        "save the file as UTF-8",
    ),
    "zero bytes": (b"title: Sam\0ple\n", "1:11 found the character U+0000", ""),
    "binary": (bytes(range(256)), "2:118 expected UTF-8 text", "save the file as UTF-8"),
    "only a byte-order mark": (b"\xef\xbb\xbf", "1:1 the file is empty", ""),
    "a byte-order mark within": (
        "a: 1\nb: \ufeff2\n".encode(),
        "2:4 found the character U+FEFF",
        "",
    ),
    "large": (b"# comment\n" * 500_000, "1:1 the file has 5000000 bytes", ""),
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_that_are_no_text(name: str, tmp_path: Path) -> None:
    raw, place_and_message, hint = BYTES[name]
    root = make_folder(tmp_path / "spec", {"behaviors/sample.yaml": raw})
    (problem,) = problems_of(root)
    place, _, message = place_and_message.partition(" ")
    assert f"{problem.place.line}:{problem.place.column}" == place
    assert message in problem.message
    assert hint in problem.hint


def test_byte_order_mark_and_windows_line_ends_are_no_fault(tmp_path: Path) -> None:
    (name, text), *_ = chapter(behavior("x = tensr([1.0])\nassert x == [1.0]")).items()
    raw = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    (problem,) = problems_of(make_folder(tmp_path / "spec", {name: raw}))
    assert "'tensr'" in problem.message
    assert (problem.place.line, problem.place.column) == (9, 13)


# Folders in which something else is wrong than one file's text.


def test_every_table_is_needed(tmp_path: Path) -> None:
    for name in ("vocabulary", "features", "errors", "sources", "retired"):
        root = make_folder(tmp_path / name, {})
        (root / f"{name}.yaml").unlink()
        (problem,) = problems_of(root)
        assert "the file is missing" in problem.message
        assert problem.place.file == str(root / f"{name}.yaml")


def test_folder_without_chapters(tmp_path: Path) -> None:
    (problem,) = problems_of(make_folder(tmp_path / "spec", {}))
    assert "no chapter" in problem.message


def test_folder_that_is_not_there(tmp_path: Path) -> None:
    assert problems_of(tmp_path / "nowhere")


def test_directory_with_a_chapters_name(tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", {})
    (root / "behaviors" / "sample.yaml").mkdir()
    (problem,) = problems_of(root)
    assert "expected a file" in problem.message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipe_with_a_chapters_name_is_not_waited_for(tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", {})
    os.mkfifo(root / "behaviors" / "sample.yaml")
    (problem,) = problems_of(root)
    assert "expected a file" in problem.message


@pytest.mark.parametrize("target", ["nowhere.yaml", "sample.yaml"])
def test_links_that_lead_nowhere_or_in_a_circle(target: str, tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", {})
    (root / "behaviors" / "sample.yaml").symlink_to(target)
    (problem,) = problems_of(root)
    assert "cannot be read" in problem.message


def test_order_of_chapters_that_is_no_text(tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", {"behaviors/order.txt": b"\xff"})
    assert "the file cannot be read" in problems_of(root)[0].message


def test_id_that_stands_in_two_chapters(tmp_path: Path) -> None:
    one, other = (
        behavior("assert tensor([1.0]) == [1.0]"),
        behavior("assert tensor([2.0]) == [2.0]"),
    )
    files = {**chapter(one), **chapter(other, name="second")}
    messages = [
        problem.message for problem in problems_of(make_folder(tmp_path / "spec", dict(files)))
    ]
    assert any("occurs twice" in message for message in messages)
    assert any("is not well formed" in message for message in messages)


def test_retired_id_is_not_used_again(tmp_path: Path) -> None:
    files = chapter(behavior("assert tensor([1.0]) == [1.0]"))
    files["retired.yaml"] = "- {id: sample.one, reason: It was wrong., successor: sample.two}\n"
    (problem,) = problems_of(make_folder(tmp_path / "spec", dict(files)))
    assert problem.message == "the id 'sample.one' was retired: It was wrong.; see sample.two"


def test_faults_of_every_chapter_are_reported_together(tmp_path: Path) -> None:
    files = {
        **chapter(behavior("assert tensr([1.0]) == [1.0]")),
        "behaviors/second.yaml": "title: [\n",
        "behaviors/third.yaml": "- a list\n",
    }
    places = [
        Path(problem.place.file).name
        for problem in problems_of(make_folder(tmp_path / "spec", dict(files)))
    ]
    assert places == ["sample.yaml", "second.yaml", "third.yaml"]


def test_problems_without_number_are_cut_short(tmp_path: Path) -> None:
    text = "title: Sample\nintroduction: Text.\nbehaviors:\n" + "  - {a: 1, b: 2}\n" * 5000
    begun = time.process_time()
    problems = problems_of(make_folder(tmp_path / "spec", {"behaviors/sample.yaml": text}))
    assert "there are too many problems" in problems[-1].message
    assert len(problems) <= 250
    assert time.process_time() - begun < SECONDS
