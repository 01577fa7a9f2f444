"""`gradspec check --reach`: what no case runs is counted, file by file."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from gradspec.conformance.checking.adequacy import reach
from gradspec.conformance.checking.adequacy.reach import FileReach, intervals, table
from gradspec.conformance.commands.check import command


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
