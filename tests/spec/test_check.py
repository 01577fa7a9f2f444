"""Each check of the specification is shown a fault, and a specification without that fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from folders import behavior, chapter, load_folder, make_folder, spec_of
from gradspec.spec.checking import check
from gradspec.spec.model import Feature, Profile, Source, Spec
from gradspec.spec.problems import Problem
from gradspec.spec.program.vocabulary import Vocabulary

CLEAN = "assert tensor([1.0]) == [1.0]"
OTHER = "assert tensor([2.0]) == [2.0]"
REFUSED = 'with raises("no-graph"):\n    tensor([1.0]).backward()'
Check = Callable[[Spec], Iterator[Problem]]


def messages(found: Iterator[Problem] | list[Problem]) -> list[str]:
    return [problem.message for problem in found]


def test_every_check_is_listed() -> None:
    assert {function.__name__ for function in check.CHECKS} == {
        "refusals_have_a_case", "statements_differ", "cases_differ", "names_are_used",
        "tables_are_used", "profiles_select_cases", "wrong_claims_are_told", "tolerances_are_explained",
        "permissions_are_accepted_both_ways",
    }  # fmt: skip


@pytest.mark.parametrize(
    "fault",
    [
        behavior(CLEAN, statement="It MUST be refused."),
        behavior(CLEAN, statement="A second pass MUST fail."),
        behavior(CLEAN, more="refuses: a second pass"),
    ],
)
def test_refusal_without_a_case_that_is_refused(fault: str, tmp_path: Path) -> None:
    (problem,) = check.refusals_have_a_case(spec_of(tmp_path / "spec", fault))
    assert "no case has a `raises` block" in problem.message
    assert problem.behavior == "sample.one"


def test_refusal_with_a_case_that_is_refused(tmp_path: Path) -> None:
    entry = behavior(REFUSED, statement="It MUST be refused.", more="refuses: a second pass")
    assert not messages(check.refusals_have_a_case(spec_of(tmp_path / "spec", entry)))


def test_statement_said_twice(tmp_path: Path) -> None:
    spec = spec_of(
        tmp_path / "spec",
        behavior(CLEAN),
        behavior(OTHER, id="sample.two", statement="It MUST, be so, or so."),
    )
    assert not messages(check.statements_differ(spec))
    spec = spec_of(
        tmp_path / "again",
        behavior(CLEAN),
        behavior(OTHER, id="sample.two", statement="It MUST be so!"),
    )
    assert messages(check.statements_differ(spec)) == ["the same statement occurs at sample.one"]


def test_case_that_stands_twice(tmp_path: Path) -> None:
    assert not messages(check.cases_differ(spec_of(tmp_path / "spec", behavior(CLEAN, OTHER))))
    spec = spec_of(tmp_path / "again", behavior(CLEAN, OTHER, "# once more\n" + CLEAN))
    assert messages(check.cases_differ(spec)) == ["the case is the same as sample.one/case-1"]


def test_cases_that_expect_different_kinds_differ(tmp_path: Path) -> None:
    spec = spec_of(tmp_path / "spec", behavior(REFUSED, REFUSED.replace("no-graph", "user")))
    assert not messages(check.cases_differ(spec))


def test_table_that_is_not_used_gives_the_same_case_again(tmp_path: Path) -> None:
    spec = spec_of(tmp_path / "spec", behavior(f"each: {{x: [1, 2]}}\nprogram: |\n  {CLEAN}"))
    assert messages(check.cases_differ(spec)) == ["the case is the same as sample.one/case-1[x=1]"]


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("x = tensor([1.0])\n" + CLEAN, "'x' is assigned and never used"),
        ("x = y = tensor([1.0])\n" + CLEAN, "'x' is assigned and never used"),
        ("x = tensor([1.0])\nx + 1\nassert x == [1.0]", "the statement has no effect"),
        ("x = tensor([1.0])\nx\nassert x == [1.0]", "the statement has no effect"),
    ],
)
def test_dead_statement(program: str, message: str, tmp_path: Path) -> None:
    found = list(check.names_are_used(spec_of(tmp_path / "spec", behavior(program))))
    assert found[0].message == message
    assert found[0].place.line >= 9


@pytest.mark.parametrize(
    "program",
    [
        "x = tensor([1.0])\nassert x == [1.0]",
        "x = tensor([1.0])\nx.zero_()\nassert x == [0.0]",
        'x = tensor([1.0])\nwith raises("no-graph"):\n    y = x + 1\n    x * 2\nassert x == [1.0]',
        "a, b = [tensor([1.0]), 2]\nassert a == [1.0]",
        "def f():\n    yield tensor(1.0)\nassert list(f())[0] == 1.0",
        "class Box(autograd.Function):\n    generate_vmap_rule = True\nassert tensor([1.0]) == [1.0]",
    ],
)
def test_living_statements(program: str, tmp_path: Path) -> None:
    assert not messages(check.names_are_used(spec_of(tmp_path / "spec", behavior(program))))


def test_claim_that_no_behavior_cites(tmp_path: Path) -> None:
    spec = replace(spec_of(tmp_path / "spec", behavior(CLEAN)), features={})
    bare = replace(spec, sources={"notes": Source("notes", "T", "W")})
    assert not messages(check.tables_are_used(bare))
    claimed = replace(spec, sources={"seed/a": Source("seed/a", "T", "W", "Right.")})
    assert messages(check.tables_are_used(claimed)) == ["no behavior cites seed/a"]


def test_feature_of_no_word(tmp_path: Path) -> None:
    spec = replace(spec_of(tmp_path / "spec", behavior(CLEAN)), sources={})
    found = replace(spec, features={"arrays": Feature("arrays", "Arrays.")})
    assert not messages(check.tables_are_used(found))
    lost = replace(spec, features={"lost": Feature("lost", "Nothing.")})
    assert messages(check.tables_are_used(lost)) == [
        "the feature 'lost' is not needed by any word or construct"
    ]


def test_word_of_no_case(tmp_path: Path) -> None:
    spec = spec_of(tmp_path / "spec", behavior("x = tensor([1.0])\nassert x.shape == (1,)"))
    assert "no case uses the method 'backward'" in messages(check.words_are_used(spec))
    used = {"tensor", "shape"}
    bare = Vocabulary(
        *({name: word for name, word in table.items() if name in used}
          for table in spec.vocabulary.tables)
    )  # fmt: skip
    assert not messages(check.words_are_used(replace(spec, vocabulary=bare)))


def test_a_word_of_no_case_is_told_of_our_own_specification(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one may use few of our words."""
    root = tmp_path / "spec"
    spec = spec_of(root, behavior("x = tensor([1.0])\nassert x.shape == (1,)"))
    told = "no case uses the method 'backward'"
    assert told not in messages(check.check_spec(spec, root))
    monkeypatch.setattr(check, "ROOT", root)
    monkeypatch.setattr(check, "schema_problems", lambda *_: [])  # the folder has no schemas
    assert told in messages(check.check_spec(spec, root))


def test_wrong_claim_of_which_nothing_is_told(own_spec: Spec, tmp_path: Path) -> None:
    def told(more: str) -> list[str]:
        spec = spec_of(
            tmp_path / str(len(more)), behavior(CLEAN, more=f"sources: [{claim}]\n{more}")
        )
        wrong = replace(spec, sources={claim: Source(claim, "T", "W", "Said so. Wrong.")})
        return messages(check.wrong_claims_are_told(wrong))

    claim = next(name for name in own_spec.sources if name.startswith("seed/"))
    assert told("") == [f"{claim} is wrong, but no behavior that cites it has `folklore`"]
    assert told("folklore: It is often said.") == []


def test_tolerance_without_reason(tmp_path: Path) -> None:
    text = f"tolerance: {{factor: 99, why: It cancels.}}\nprogram: |\n  {CLEAN}"
    spec = spec_of(tmp_path / "spec", behavior(text))
    assert not messages(check.tolerances_are_explained(spec))
    found = spec.behaviors[0]
    found.cases[:] = [replace(case, tolerance_reason="") for case in found.cases]
    assert messages(check.tolerances_are_explained(replace(spec))) == [
        "the case sets a tolerance without saying why"
    ]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("assert tensor([2.0]) + 1.0 == [3.0]", 1),
        ("assert tensor([2.0]) + 1.0 == either([3.0], [2.0])", 0),
        ('with may_raise("wrong-value"):\n    assert tensor([2.0]) + 1.0 == [3.0]', 0),
    ],
)
def test_permission_with_a_case_for_one_way(text: str, problems: int, tmp_path: Path) -> None:
    entry = behavior(text, statement="It MAY be so.")
    found = check.permissions_are_accepted_both_ways(spec_of(tmp_path / "spec", entry))
    assert len(messages(found)) == problems


def test_file_that_does_not_fit_its_schema(tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", dict(chapter(behavior(CLEAN))))
    assert check.schema_problems(root) == []
    path = root / "behaviors" / "sample.yaml"
    path.write_text(path.read_text("utf-8").replace("level: observed", "level: guessed"), "utf-8")
    (problem,) = check.schema_problems(root)
    assert "at behaviors/0/level" in problem.message
    assert problem.place.file == str(path)


def test_checks_run_in_the_order_of_the_files(tmp_path: Path) -> None:
    dead = "x = tensor([1.0])\n"
    files = {
        **chapter(behavior(dead + CLEAN, dead + OTHER, id="b.one"), name="b"),
        **chapter(behavior(CLEAN, CLEAN, id="a.one", statement="It MUST."), name="a"),
    }
    root = make_folder(tmp_path / "spec", dict(files))
    found = [
        problem
        for problem in check.check_spec(load_folder(root), root)
        if "behaviors" in problem.place.file
    ]
    assert [Path(problem.place.file).stem for problem in found] == ["a", "b", "b"]
    assert [problem.place.line for problem in found[1:]] == sorted(
        problem.place.line for problem in found[1:]
    )


def test_own_files_fit_their_schemas() -> None:
    assert check.schema_problems(check.ROOT) == []


@pytest.mark.parametrize(
    ("features", "problems"), [(["requires-grad"], 1), (["requires-grad", "arrays"], 0)]
)
def test_a_profile_that_selects_no_case(features: list[str], problems: int, tmp_path: Path) -> None:
    spec = spec_of(
        tmp_path / "spec", behavior("assert tensor([1.0], requires_grad=True).requires_grad")
    )
    spec = replace(
        spec, profiles={"small": Profile("small", "A few features.", frozenset(features))}
    )
    found = messages(check.profiles_select_cases(spec))
    assert len(found) == problems
    assert all("'small' selects no case" in message for message in found)
