"""Every malformed specification is refused where its fault stands, and never by a crash.

The mistakes stand in tables; `malformed_rows.py` says how to add one.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
import yaml
from folders import behavior, chapter, make_folder, problems_of
from gradspec.spec.problems import Problem
from gradspec.spec.reading import yaml_reader

from .malformed_rows import TABLES, Expected, Mistake, base_of, mistake, mistakes

SECONDS = 2.0

# Rows as in the tables, but too long to be written out.


def marked(line: str, told: str, column: int = 0) -> str:
    """A line, and below it the mark that says what must be reported of it."""
    return f"{line}\n{' ' * (column - 1)}{'^' if column else '~'} {told}\n"


TEN = list(range(1, 11))
TOO_DEEP = "values are nested more than 60 deep"
LARGE = {
    "programs": {
        "deep attributes": marked(f"x = tensor([1.0]){1900 * '.T'}", "nested"),
        "deep brackets": marked(
            f"x = {100 * '['}{100 * ']'}", "expressions are nested too deeply", 64
        ),
        "deep calls": marked(f"x = tensor([1.0]){400 * '.detach()'}", "nested"),
        "deep lambdas": marked(f"f ={400 * ' lambda:'} 1", "nested"),
        "deep minus": marked(f"x = {3900 * '-'}1", "nested"),
        "deep not": marked(f"x ={900 * ' not'} 1", "nested"),
        "deep parentheses beyond the parser": marked(f"x = {1500 * '('}1{1500 * ')'}", "nested"),
        "deep targets": "x = tensor([1.0])\n"
        + marked(f"{90 * '('}y{90 * ',)'} = x", "the assignment target is nested too deeply", 60),
        "integer of many digits": marked(
            f"x = tensor([{3800 * '9'}])", "the integer does not fit 64 bits", 13
        ),
        "long": marked(
            "x = tensor([1.0])", "the program has 23448 characters; 20000 are allowed", 1
        )
        + 1300 * "x = tensor([1.0])\n",
    },
    "case_tables": {
        "deep minus": marked(f"x: ['{3900 * '-'}1']", "the expression is nested too deeply", 5),
        "deep brackets": marked(
            f"x: ['{150 * '['}{150 * ']'}']", "expressions are nested too deeply", 5
        ),
        "hexadecimal of many digits": marked(
            f"x: ['0x{3900 * 'f'}']",
            "the expression is nested too deeply, or holds too large a number",
            5,
        ),
        "integer of many digits": marked(
            f"x: ['{3990 * '9'}']", "the line has 4007 characters; 4000 are allowed", 3990
        ),
        "too many rows": marked(f"x: {TEN}", f"the table has {10**25} rows; 500 are allowed", 1)
        + "".join(f"y{number}: {TEN}\n" for number in range(24)),
    },
    "yaml": {
        "deep after closing comments": f"# {3900 * ']'}\n"
        + marked(3000 * "[", TOO_DEEP, 62)
        + 2 * f"{3000 * '['}\n",
        "deep brackets never closed": marked(f"title: {3900 * '['}", TOO_DEEP, 68),
        "deep brackets": marked(f"title: {100 * '['}{100 * ']'}", TOO_DEEP, 68),
        "deep dashes": marked(f"{150 * '- '}x", TOO_DEEP, 123),
        "deep mappings": "".join(f"{depth * ' '}a:\n" for depth in range(61))
        + marked(f"{61 * ' '}a:", TOO_DEEP, 62)
        + "".join(f"{depth * ' '}a:\n" for depth in range(62, 80)),
        "long line": marked(
            f"title:{1000 * ' long'} ", "the line has 5007 characters; 4000 are allowed", 4000
        ),
    },
    "errors": {
        "pattern nested deeply": marked(
            "refusals: {user: {meaning: A., must_tell: B., patterns: ["
            f"'{1500 * '('}{1500 * ')'}']}}}}",
            "is not a regular expression",
            58,
        )
        + "warnings: {}\n",
    },
}
MISTAKES = [row for table in TABLES for row in mistakes(table)] + [
    mistake(table, name, row) for table, rows in LARGE.items() for name, row in rows.items()
]


def of(row: Mistake) -> str:
    return f"{row.table}/{row.name.replace(' ', '-')}"


def reported(row: Mistake, folder: Path) -> list[Problem]:
    """What is reported of a mistake; all of it is of the file with the mistake."""
    files = {row.file: row.text}
    if row.table == "laws":  # which need no chapter, but there must be one
        files |= chapter(behavior("assert tensor([1.0]) == [1.0]"))
    root = make_folder(folder / "spec", files)
    problems = problems_of(root)
    assert {Path(problem.place.file) for problem in problems} <= {root / row.file}
    return problems


def assert_expected(row: Mistake, problems: list[Problem]) -> None:
    shown = "\n".join(map(str, problems)) or "nothing is wrong"
    assert row.expected, "the row lacks its `^`"
    assert len(problems) == len(row.expected), shown
    for each, problem in zip(row.expected, problems, strict=True):
        assert each.fits(problem), f"expected {each}, found {problem}"


@pytest.mark.parametrize("row", MISTAKES, ids=of)
def test_fault_is_reported_in_its_place(row: Mistake, tmp_path: Path) -> None:
    begun = time.process_time()
    problems = reported(row, tmp_path)
    seconds = time.process_time() - begun
    assert_expected(row, problems)
    assert seconds < SECONDS


@pytest.mark.parametrize("row", mistakes("slips"), ids=of)
def test_slip_is_told_alike_without_the_parser_in_c(
    row: Mistake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml_reader, "_Loader", yaml.Loader)
    assert_expected(row, reported(row, tmp_path))


@pytest.mark.parametrize("table", [table for table in TABLES if base_of(table)])
def test_a_base_is_healthy(table: str, tmp_path: Path) -> None:
    assert reported(Mistake(table, "none", base_of(table), ()), tmp_path) == []


def test_there_are_many() -> None:
    assert len(MISTAKES) >= 330


# Mistakes of which more is reported than is of interest, or in another order than the lines.

DEEP = {
    "blocks": (
        68,
        "".join(f"{depth * '  '}if tensor:\n" for depth in range(70)) + 140 * " " + "pass\n",
    ),
    "choice": (9, f"x ={300 * ' 1 if 2 else'} 3\n"),
    "if chain": (128, "x = 1\n" + 300 * "if x:\n    pass\nel" + "if x:\n    pass\n"),
    "sum": (9, f"x ={900 * ' 1 +'} 1\n"),
}


@pytest.mark.parametrize("name", DEEP)
def test_programs_nested_deeply(name: str, tmp_path: Path) -> None:
    line, program = DEEP[name]
    row = mistake("programs", name, program)
    first, *others = reported(row, tmp_path)
    assert first.place.line == line
    assert all("nested too deeply" in problem.message for problem in [first, *others])


def test_first_of_many_unknown_names(tmp_path: Path) -> None:
    program = "".join(f"x = tensr{number}([1.0])\n" for number in range(800))
    problems = reported(mistake("programs", "names", program), tmp_path)
    assert len(problems) > 3
    for number, problem in enumerate(problems[:3]):
        assert (problem.place.line, problem.place.column) == (9 + number, 13)
        assert problem.message == f"the name 'tensr{number}' is not in the vocabulary"
        assert "did you mean 'tensor'?" in problem.hint


@pytest.mark.parametrize(
    ("title", "fault"), [("'  '", "found blank text"), ("[Sample]", "found a list")]
)
def test_the_title_is_read_last(title: str, fault: str, tmp_path: Path) -> None:
    text = f"title: {title}\nintroduction: Text.\nbehaviors: [{{}}]\n"
    *fields, last = reported(Mistake("chapters", "title", text, ()), tmp_path)
    lacking = [
        f"a behavior is missing the key '{key}'" for key in ("id", "statement", "level", "cases")
    ]
    assert [problem.message for problem in fields] == lacking
    assert {(problem.place.line, problem.place.column) for problem in fields} == {(3, 13)}
    assert last.message == f"expected title to be text, {fault}"
    assert (last.place.line, last.place.column) == (1, 8)


# Files that are no text, or hold what a table cannot.
NO_UTF8 = "expected UTF-8 text | save the file as UTF-8"
BYTES = {
    "empty": (b"", 1, 1, "the file is empty"),
    "latin-1": ("title: Für\n".encode("latin-1"), 1, 9, NO_UTF8),
    "latin-1 further on": (
        "# Müll\ntitle: für\n".encode() + "x: für".encode("latin-1"),
        3,
        5,
        NO_UTF8,
    ),
    "utf-16": ("title: Sample\n".encode("utf-16"), 1, 1, NO_UTF8),
    "zero bytes": (b"title: Sam\0ple\n", 1, 11, "found the character U+0000"),
    "binary": (bytes(range(256)), 2, 118, NO_UTF8),
    "only a byte-order mark": (b"\xef\xbb\xbf", 1, 1, "the file is empty"),
    "a byte-order mark within": ("a: 1\nb: \ufeff2\n".encode(), 2, 4, "found the character U+FEFF"),
    "a line separator": (
        "title: Sample\u2028introduction: Text.\nbehaviors: []\n".encode(),
        1,
        14,
        "found the character U+2028, which is not allowed in text",
    ),
    "a control character": (
        b'title: "Sample"\nintroduction: Text \x07 with a bell.\nbehaviors: []\n',
        2,
        20,
        "found the character U+0007, which is not allowed in text",
    ),
    "large": (b"# comment\n" * 500_000, 1, 1, "the file has 5000000 bytes"),
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_that_are_no_text(name: str, tmp_path: Path) -> None:
    raw, line, column, told = BYTES[name]
    (problem,) = problems_of(make_folder(tmp_path / "spec", {"behaviors/sample.yaml": raw}))
    assert Expected.at(line, column, told).fits(problem), problem


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
