"""`gradspec check --reach`: what no case runs is counted, file by file."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from gradspec.conformance.checking.adequacy import reach
from gradspec.conformance.checking.adequacy.reach import FileReach, intervals, table
from gradspec.conformance.checking.adequacy.source import reference_folder
from gradspec.conformance.commands.check import command
from gradspec.spec.problems import SpecError


def check(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_a_part_of_the_suite_reaches_a_part_of_the_engine() -> None:
    pytest.importorskip("coverage")
    from gradspec.spec.reading.folder import ROOT

    few = {file.path: file for file in reach.measure(ROOT, "leaf.user-created")}
    more = {file.path: file for file in reach.measure(ROOT, "leaf.")}
    assert set(few) == set(more)
    assert sum(len(f.missed) for f in more.values()) < sum(len(f.missed) for f in few.values())
    never = few["utils/checkpoint.py"]  # no case in either part checkpoints
    assert 0 < len(never.missed) < never.statements, "what runs on import is reached"


def test_the_table_adds_up_by_package() -> None:
    files = [
        FileReach("engine.py", 10, ()),
        FileReach("ops/core.py", 20, (3, 4, 5, 9), 1),
        FileReach("ops/shape.py", 0, ()),
    ]
    assert [line.split() for line in table(files)] == [
        ["statements", "unreached", "of", "these", "refusals", "reached"],
        ["(top)", "10", "0", "0", "100%"],
        ["engine.py", "10", "0", "0", "100%"],
        ["ops/", "20", "4", "1", "80%"],
        ["ops/core.py", "20", "4", "1", "80%"],
        ["ops/shape.py", "0", "0", "0", "100%"],
        ["together", "30", "4", "1", "86%"],
    ]
    assert any(line.endswith("3-5, 9") for line in table(files, lines=True))
    assert intervals(()) == ""


def test_statements_that_refuse_are_told_apart() -> None:
    source = """
if x:
    raise errors.wrong_type("no")
warnings.warn("old")
return errors.freed("x")
return x
errors = 3
"""
    assert reach.refusing_lines(ast.parse(source)) == {3, 4, 5}


def test_without_coverage_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "find_spec", lambda name: None)
    told = check("--reach", "-k", "leaf.user-created")
    assert told.exit_code == 2
    assert "pip install 'gradspec[test]'" in told.output


def test_a_run_that_fails_is_no_reach(tmp_path: Path) -> None:
    pytest.importorskip("coverage")
    with pytest.raises(reach.ReachError, match="the run of the suite under coverage failed"):
        reach.measure(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-k", "leaf."), "-k needs --adequacy or --reach"),
        (("--reach", "-k", "no-such-case"), "no case's id contains 'no-such-case'"),
        (("--reach=some",), "'some' is not one of"),
    ],
)
def test_usage_errors(arguments: tuple[str, ...], told: str) -> None:
    found = check(*arguments)
    assert found.exit_code == 2
    assert told in found.output


def test_functions_are_named_with_what_is_around_them() -> None:
    tree = ast.parse(
        "x = 1\nclass A:\n    def f(self):\n        def g():\n            return 1\n        return g\n"
    )
    assert reach.functions_by_line(tree) == {2: "A", 3: "A.f", 4: "A.f.g", 5: "A.f.g", 6: "A.f"}


REASONS = """\
- why: It needs a GPU.
  statements:
    cuda.py: {init: 2, set_device: 1}
"""


def test_statements_without_a_reason_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "unreached.yaml"
    path.write_text(REASONS, "utf-8")
    functions = {3: "init", 4: "init", 5: "init", 8: "count"}
    files = [FileReach("cuda.py", 9, tuple(functions), 0, functions)]
    more, fewer = reach.without_reason(files, reach.read_reasons(path))
    assert more == ["cuda.py, init: 3-5 (2 of them have one)", "cuda.py, count: 8"]
    (line,) = fewer
    assert line.startswith("cuda.py, set_device: 1 statements, but 0 are unreached (")


def test_a_list_of_reasons_that_names_a_function_twice_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "unreached.yaml"
    path.write_text(REASONS + REASONS, "utf-8")
    with pytest.raises(SpecError, match="is listed twice"):
        reach.read_reasons(path)


def test_reasons_are_given_for_functions_that_are_there() -> None:
    folder = reference_folder()
    for path, function in reach.read_reasons():
        names = reach.functions_by_line(ast.parse((folder / path).read_text("utf-8")))
        assert function in {*names.values(), "(top)"}, path
