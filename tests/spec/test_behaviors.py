"""Chapters become behaviors and cases: ids, tables, places, tolerances, scores."""

from __future__ import annotations

import traceback
from pathlib import Path
from types import FunctionType

import pytest
from folders import behavior, case_of, chapter, load_folder, make_folder, problems_of, spec_of
from gradspec.spec.load import load_spec, read_spec
from gradspec.spec.program.program import Program
from gradspec.spec.reading.chapters import slug


def ids(tmp_path: Path, case: str, tables: str = "") -> list[str]:
    root = make_folder(tmp_path / "spec", dict(chapter(behavior(case), tables=tables)))
    return [found.id.removeprefix("sample.one/") for found in load_folder(root).cases]


PROGRAM = "program: |\n  assert tensor([x]) == [y]"


def test_every_combination_of_columns(tmp_path: Path) -> None:
    table = "each: {x: [1.0, 2.0], y: [3.0, 4.0]}\n"
    assert ids(tmp_path, table + PROGRAM) == [
        "case-1[x=1.0,y=3.0]", "case-1[x=1.0,y=4.0]", "case-1[x=2.0,y=3.0]", "case-1[x=2.0,y=4.0]",
    ]  # fmt: skip


def test_listed_rows(tmp_path: Path) -> None:
    table = "each:\n  - {row: first one, x: 1.0, y: 3.0}\n  - {x: 2.0, y: 4.0}\n"
    assert ids(tmp_path, table + PROGRAM) == ["case-1[first-one]", "case-1[x=2.0,y=4.0]"]


def test_labelled_column(tmp_path: Path) -> None:
    table = "each: {x: {small: 1.0, large: 2.0}, y: [3.0]}\n"
    assert ids(tmp_path, table + PROGRAM) == ["case-1[x=small,y=3.0]", "case-1[x=large,y=3.0]"]


def test_table_shared_in_a_chapter(tmp_path: Path) -> None:
    tables = "numbers: {x: [1.0], y: [1.0, 2.0]}"
    assert len(ids(tmp_path, "each: numbers\n" + PROGRAM, tables)) == 2


def test_cells_are_expressions(tmp_path: Path) -> None:
    """Text is read as an expression, also one that names a variable of the program."""
    text = """
        each:
          f: ["x.sum()", "lambda: x * 2", float64, '"text"', [1, [2.5]], null, true, .inf, -.inf]
        program: |
          x = tensor([1.0])
          trace("seen", f)
          assert len(traced()) == 1 + x.dim() - 1
    """
    cases = spec_of(tmp_path / "spec", behavior(text)).cases
    sources = [case.program.python(mediated=False)[0] for case in cases]
    for source, written in zip(
        sources,
        [
            "x.sum()",
            "lambda: x * 2",
            "float64",
            "'text'",
            "[1, [2.5]]",
            "None",
            "True",
            "inf",
            "-inf",
        ],
        strict=True,
    ):
        assert f"trace('seen', {written})" in source


def test_fault_of_one_row_is_told_once(tmp_path: Path) -> None:
    text = "each: {x: [1.0, 2.0, 3.0]}\nprogram: |\n  assert tensr([x]) == [1.0]"
    assert len(problems_of(make_folder(tmp_path / "spec", dict(chapter(behavior(text)))))) == 1


@pytest.mark.parametrize(
    ("name", "slugged"),
    [
        ("two passes add up", "two-passes-add-up"),
        ("  (of) [a] 'view'  ", "of-a-view"),
        ("float32,x=1.5e-3", "float32,x=1.5e-3"),
        ("a_b+c*d", "a_b+c*d"),
        ("ärger", "rger"),
        ("???", ""),
    ],
)
def test_names_as_they_stand_in_ids(name: str, slugged: str) -> None:
    assert slug(name) == slugged


# --- places ---


def line_of_error(program: Program) -> int:
    """The line of the file on which a program fails when the first word it calls is missing."""
    try:
        FunctionType(program.code, {})(*[lambda *_: None] * 6)
    except NameError as error:
        return traceback.extract_tb(error.__traceback__)[-1].lineno or 0
    raise AssertionError("the program did not fail")


@pytest.mark.parametrize(
    ("case", "line"),
    [
        ("one: |\n  x = 1\n  assert tensor(x) == 1", 10),
        ("one: |\n\n\n  x = 1\n  assert tensor(x) == 1", 12),
        ("one: |-  # a comment\n      x = 1\n      assert tensor(x) == 1", 10),
        ("one: assert tensor(1) == 1", 8),
        ("one:\n  program: |\n    x = 1\n    # a comment\n    assert tensor(x) == 1", 12),
    ],
    ids=["block", "after blank lines", "indented further", "on its key's line", "mapping"],
)
def test_tracebacks_have_the_files_lines(case: str, line: int, tmp_path: Path) -> None:
    text = "title: T\nintroduction: I.\nbehaviors:\n"
    text += "- id: sample.one\n  statement: It MUST.\n  level: observed\n  cases:\n"
    text += "".join(f"    {part}\n" if part else "\n" for part in case.split("\n"))
    spec = load_folder(make_folder(tmp_path / "spec", {"behaviors/sample.yaml": text}))
    (found,) = spec.cases
    assert line_of_error(found.program) == line
    assert found.expectations[0].line == line
    assert found.place.line == 8


def test_case_and_behavior_have_their_places(tmp_path: Path) -> None:
    case = case_of(tmp_path / "spec", "assert tensor([1.0]) == [1.0]")
    assert (case.place.line, case.place.column) == (8, 7)
    assert (case.behavior.place.line, case.behavior.place.column) == (4, 5)
    assert case.first_line == 9


# --- fields ---


def test_strength_is_the_strongest_word_of_the_statement(tmp_path: Path) -> None:
    statements = [
        "It MUST be so.",
        "It SHOULD be so, and MAY be.",
        "It MAY be so, but MUST NOT fail.",
        "It MAY.",
    ]
    entries = [
        behavior(f"assert tensor([1.0]) == [{n}]", id=f"sample.n{n}", statement=statement)
        for n, statement in enumerate(statements)
    ]
    strengths = [found.strength for found in spec_of(tmp_path / "spec", *entries).behaviors]
    assert strengths == ["MUST", "SHOULD", "MUST", "MAY"]


@pytest.mark.parametrize(
    ("statement", "level", "counts"),
    [
        ("It MUST be so.", "implied", True),
        ("It MUST be so.", "observed", False),
        ("It SHOULD be so.", "implied", False),
    ],
)
def test_what_counts_in_the_main_score(
    statement: str, level: str, counts: bool, tmp_path: Path
) -> None:
    more = f"level: {level}\nsources: [autograd-notes#accumulate]"
    entry = behavior("assert tensor([1.0]) == [1.0]", statement=statement, more=more)
    (found,) = spec_of(tmp_path / "spec", entry).behaviors
    assert found.scored_as_must is counts


def test_tolerance(tmp_path: Path) -> None:
    plain = "assert tensor([1.0]) == [1.0]"
    wide = "tolerance: {factor: 100, why: It cancels.}\nprogram: |\n  assert tensor([2.0]) == [2.0]"
    first, second = spec_of(tmp_path / "spec", behavior(plain, wide)).cases
    assert (first.tolerance_factor, first.tolerance_reason) == (16.0, "")
    assert (second.tolerance_factor, second.tolerance_reason) == (100.0, "It cancels.")


# --- our own ---


def test_change_of_a_file_is_noticed(tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", dict(chapter(behavior("assert tensor([1.0]) == [1.0]"))))
    digest = load_spec(root).digest
    path = root / "behaviors" / "sample.yaml"
    path.write_text(path.read_text("utf-8").replace("A chapter", "The chapter"), "utf-8")
    load_spec.cache_clear()
    read_spec.cache_clear()
    changed = load_spec(root)
    assert changed.chapters[0].introduction == "The chapter for a test."
    assert changed.digest != digest


def test_own_ids_are_well_formed_and_unique() -> None:
    spec = load_spec()
    names = [case.id for case in spec.cases]
    assert len(set(names)) == len(names)
    assert all(
        name.startswith(f"{case.behavior.id}/")
        for name, case in zip(names, spec.cases, strict=True)
    )


def test_chapters_stand_in_reading_order(tmp_path: Path) -> None:
    files = {
        **chapter(behavior("assert tensor([1.0]) == [1.0]", id="b.one"), name="b"),
        **chapter(behavior("assert tensor([1.0]) == [2.0]", id="a.one"), name="a"),
        **chapter(behavior("assert tensor([1.0]) == [3.0]", id="c.one"), name="c"),
        "behaviors/order.txt": "c\n",
    }
    spec = load_folder(make_folder(tmp_path / "spec", dict(files)))
    assert [found.name for found in spec.chapters] == ["c", "a", "b"]


def test_a_chapter_may_be_scored_apart() -> None:
    """Conventions at kinks and ties are documented, and still no matter of right and wrong."""
    from gradspec.spec.load import load_spec

    conventions = [item for item in load_spec().behaviors if item.chapter == "conventions"]
    assert any(item.strength == "MUST" and item.level == "documented" for item in conventions)
    assert not any(item.scored_as_must for item in conventions)
