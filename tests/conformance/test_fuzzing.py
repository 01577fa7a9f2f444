"""Generated programs: what a wrong engine is caught by, how it is shrunk, and what is printed."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gradspec.reference_impl as reference
import pytest
from click.testing import CliRunner
from gradspec.adapters.framework.engine import End, Observations
from gradspec.adapters.framework.registry import open_engine
from gradspec.conformance.commands.fuzz import command
from gradspec.conformance.fuzzing import findings
from gradspec.conformance.fuzzing.building import RAISED, build, uses_of
from gradspec.conformance.fuzzing.campaign import Campaign, Finding, database_in
from gradspec.conformance.fuzzing.comparing import divergence
from gradspec.conformance.fuzzing.drawing import LEAF, Drawn, Statement, leaf_text
from gradspec.conformance.fuzzing.statements import templates
from gradspec.conformance.judging.judge import judge
from gradspec.conformance.running.runner import kinds_as_data
from gradspec.spec.load import load_spec

SPEC = load_spec()
PLACES = "xyrqlcatksvmw"


@pytest.fixture
def oracle() -> Iterator[Any]:
    engine = open_engine("reference", kinds=kinds_as_data(SPEC))
    yield engine
    engine.close()


@pytest.fixture
def wrong() -> Iterator[Any]:
    """The reference, but that the gradient of tanh is that of the identity."""
    engine: Any = open_engine("reference", kinds=kinds_as_data(SPEC))

    def tanh(x: Any) -> Any:
        return reference.tanh(x.detach()) + (x - x.detach())

    engine.words = {**engine.words, "tanh": tanh}
    yield engine
    engine.close()


def test_every_statement_is_of_the_language() -> None:
    for template in templates():
        names = {place: f"{place if place in 'svmw' else 'v'}{i}" for i, place in enumerate(PLACES)}
        names["f"] = "p * 2.0"
        uses_of(Statement(template.written(names), template.shown))


def test_programs_run(oracle: Any) -> None:
    """No program fails for a reason of ours, such as a name that the engine is not given, and most
    compare gradients."""
    campaign = Campaign(oracle, oracle)
    seen: list[Observations] = []
    run = oracle.run
    oracle.run = lambda program, timeout: seen.append(run(program, timeout)) or seen[-1]
    campaign.go(None, 300, 1)
    ends = [observed.end for observed in seen]
    kinds = {end.kind for end in ends}
    for observed in seen:
        kinds |= {plain["ended"].get("kind", "") for i, plain in observed.observed if i >= RAISED}
    assert "broken" not in kinds
    assert sum(end.how == "finished" for end in ends) > 0.9 * len(ends)
    assert sum(map(has_gradient, seen)) > 0.6 * len(seen)


def has_gradient(observed: Observations) -> bool:
    """Whether a gradient was reported."""
    reports = [plain for index, plain in observed.observed if index < RAISED]
    items = [item for plain in reports if "tuple" in plain for item in plain["tuple"]]
    return any("tuple" in item and item["tuple"][3] is not None for item in items)


def test_an_engine_does_not_differ_from_itself(oracle: Any) -> None:
    campaign = Campaign(oracle, open_engine("reference", kinds=kinds_as_data(SPEC)))
    campaign.go(None, 200, 1)
    assert campaign.run >= 200
    assert campaign.findings == []


@pytest.mark.parametrize("alone", [False, True], ids=["against-the-reference", "against-itself"])
def test_a_wrong_gradient_is_found_and_shrunk(wrong: Any, oracle: Any, alone: bool) -> None:
    campaign = Campaign(wrong, None if alone else oracle)
    campaign.go(None, 500, 1)
    assert campaign.findings
    for finding in campaign.findings:
        assert "x: tanh({x})" in finding.drawn.templates
        assert len(finding.drawn.statements) <= 4
    for finding in campaign.findings:
        case = findings.as_case(finding, SPEC)
        assert case is not None
        assert judge(case, wrong.run(case.program), SPEC.kinds).verdict == "fail"
        assert judge(case, oracle.run(case.program), SPEC.kinds).verdict == "pass"
        script = findings.script(finding, "module:some_engine", SPEC)
        assert "tanh" in script
        assert "assert" in script


def test_a_finding_loses_what_it_does_not_need(wrong: Any, oracle: Any) -> None:
    statements = [
        Statement(leaf_text("v", 0, True), LEAF, "v0", "v"),
        Statement("v0 * 2.0", "x: {x} * 2.0", "v1", "v"),
        Statement("tanh(v0)", "x: tanh({x})", "v2", "v"),
        Statement("v2.sum().backward()", "{r}.sum().backward()"),
    ]
    campaign = Campaign(wrong, oracle)
    found = campaign.check(Drawn(statements))
    assert found is not None
    shorter = campaign.without_needless(Finding(Drawn(statements), found))
    assert shorter.drawn.statements == [statements[0], *statements[2:]]
    assert findings.as_fault(shorter).startswith("After `v2.sum().backward()`, `v0.grad` is [1.0")
    assert "After `v2.sum().backward()`, `v0.grad` MUST be [0." in findings.as_yaml(shorter, 1)


def test_an_operation_that_is_always_wrong_hides_nothing_else(oracle: Any) -> None:
    """Here `tanh` is wrong for the results of some operations, so that no finding explains the next."""
    engine: Any = open_engine("reference", kinds=kinds_as_data(SPEC))
    engine.words = {**engine.words, "tanh": lambda x: reference.tanh(x) + (1.0 - x.is_leaf)}
    campaign = Campaign(engine, oracle)
    for lead in ("x: sin({x})", "x: cos({x})", "x: exp({x} * 0.25)"):
        assert campaign.again(an_operation_then_tanh(lead)) is not None
    assert campaign.muted == {"x: tanh({x})"}
    assert campaign.fails(an_operation_then_tanh("x: sigmoid({x})")) is None
    engine.close()


def an_operation_then_tanh(lead: str) -> Drawn:
    return Drawn([
        Statement(leaf_text("v", 0, True), LEAF, "v0", "v"),
        Statement(lead.partition(": ")[2].format(x="v0"), lead, "v1", "v"),
        Statement("tanh(v1)", "x: tanh({x})", "v2", "v"),
    ])  # fmt: skip


def test_what_rounding_leaves_is_no_difference() -> None:
    def seen(value: float, flag: bool, large: float = 35483.0) -> Any:
        contents = [
            {"dtype": "float64", "shape": [1], "values": [number]} for number in (value, large)
        ]
        return {"tuple": [{"tuple": [{"tensor": content}, flag]} for content in contents]}

    leaves = [Statement(leaf_text("v", number, True), LEAF, f"v{number}", "v") for number in (0, 1)]
    drawn = Drawn(leaves)
    done = End("finished")

    def differ(one: Any, other: Any) -> bool:
        first, second = Observations([(1, one)], done), Observations([(1, other)], done)
        return divergence(drawn, first, second, True, False) is not None

    assert not differ(seen(1e-17, True), seen(0.0, True))
    assert not differ(seen(1e-17, True), seen(0.0, True, 35483.0 + 1e-10))
    assert differ(seen(0.0, True), seen(0.0, True, 35483.1))
    assert differ(seen(1e-9, True), seen(0.0, True))
    assert differ(seen(1e-17, True), seen(0.0, False))


def values_differ(statements: list[Statement]) -> bool:
    """Whether it is a finding that two engines see other values after the last of these statements."""
    found, other = (
        {"tuple": [{"tensor": {"dtype": "float64", "shape": [1], "values": [value]}}]}
        for value in (1.0, 2.0)
    )
    done, last = End("finished"), len(statements) - 1
    first, second = Observations([(last, found)], done), Observations([(last, other)], done)
    return divergence(Drawn(statements), first, second, True, False) is not None


@pytest.mark.parametrize(("operand", "told"), [("v2", True), ("v1", False), ("v3", False)])
def test_an_operand_that_overlaps_the_target_of_a_write_is_left_open(
    operand: str, told: bool
) -> None:
    statements = [
        Statement(leaf_text("m", 0, False), LEAF, "m0", "m"),
        Statement("m0[0]", "v: {m}[0]", "v1", "v"),
        Statement("m0[0] * 1.0", "v: {v} * 1.0", "v2", "v"),
        Statement("v1.detach()", "x: {x}.detach()", "v3", "v"),
        Statement(f"m0.add_({operand})", "{m}.add_({v})"),
    ]
    assert values_differ(statements) == told


@pytest.mark.parametrize(
    ("write", "told"),
    [("m3[1].mul_(3.0)", False), ("w2.detach().mul_(2.0)", False), ("m4 += m4", True), ("w0.neg_()", True)],
)  # fmt: skip
def test_a_write_to_a_result_that_was_reshaped_is_left_open(write: str, told: bool) -> None:
    statements = [
        Statement(leaf_text("w", 0, False), LEAF, "w0", "w"),
        Statement(leaf_text("m", 0, False), LEAF, "m1", "m"),
        Statement("m1.t() + w0", "w: {m}.t() + {w}", "w2", "w"),
        Statement("w2.reshape(2, 3)", "m: {w}.reshape(2, 3)", "m3", "m"),
        Statement("w0.reshape(2, 3)", "m: {w}.reshape(2, 3)", "m4", "m"),
        Statement(write, "a write"),
    ]
    assert values_differ(statements) == told


@pytest.mark.parametrize(
    ("view", "template"), [("s0.view_as(s0)", "x: {x}.view_as({x})"), ("s0 * 2.0", "x: {x} * 2.0")]
)
def test_leaves_whose_gradient_shares_memory_are_left_open(
    view: str, template: str, oracle: Any
) -> None:
    """What PyTorch does here is wrong, but known: the second pass changes the gradient of another leaf."""
    drawn = Drawn([
        Statement(leaf_text("s", 0, True), LEAF, "s0", "s"),
        Statement(leaf_text("s", 1, True), LEAF, "s1", "s"),
        Statement(view, template, "s2", "s"),
        Statement("(s2 + s1).backward()", "ends"),
        Statement("s2.backward()", "ends"),
    ])  # fmt: skip
    expected = oracle.run(build(drawn, True))
    shared = copy.deepcopy(expected)
    last: Any = shared.observed[-1][1]
    s0, s1 = (last["tuple"][place]["tuple"] for place in (0, 1))
    s1[3] = s0[3]
    found = divergence(drawn, expected, shared, True, False)
    assert (found is None) == ("view_as" in view)


@pytest.mark.parametrize(("first", "told"), [("s1.sum().backward()", False), ("v0.add_(v0)", True)])
def test_what_a_failed_pass_has_freed_is_left_open(first: str, told: bool) -> None:
    statements = [
        Statement(leaf_text("v", 0, True), LEAF, "v0", "v"),
        Statement("v0.sum()", "s: {v}.sum()", "s1", "s"),
        Statement(first, "passes", caught="caught"),
        Statement("s1.backward()", "passes", caught="caught"),
    ]

    def ending(kind: str) -> Observations:
        ended = [{"ended": {"how": "refused", "kind": each}} for each in ("saved-modified", kind)]
        return Observations([(RAISED + 2, ended[0]), (RAISED + 3, ended[1])], End("finished"))

    one, other = ending("saved-modified"), ending("graph-freed")
    assert (divergence(Drawn(statements), one, other, True, False) is not None) == told
    assert (divergence(Drawn(statements), other, one, True, False) is not None) == told


def test_a_finding_is_kept_for_another_run(wrong: Any, oracle: Any, tmp_path: Path) -> None:
    for examples in (600, 1, 1):  # what is kept is run first, and stays
        campaign = Campaign(wrong, oracle, database=database_in(tmp_path, ["a", "b"]))
        campaign.go(None, examples, 99)
        assert campaign.findings
    begun = Campaign(wrong, oracle)
    again = findings.drawn_from(findings.as_data(campaign.findings[0], SPEC, "reference"))
    assert again == campaign.findings[0].drawn
    assert begun.again(again) is not None


def test_all_that_can_be_seen_is_compared(oracle: Any) -> None:
    drawn = Drawn(
        [
            Statement(leaf_text("v", 0, True), LEAF, "v0", "v"),
            Statement("v0 * 2.0", "x: {x} * 2.0", "v1", "v"),
            Statement("v1.sum().backward()", "{x}.sum().backward()"),
        ]
    )
    observed = oracle.run(build(drawn, True)).observed
    first, last = observed[0][1]["tuple"], observed[-1][1]["tuple"]
    assert first[0]["tuple"][1:] == [True, True, None]
    assert last[0]["tuple"][3]["tensor"]["values"] == [2.0, 2.0, 2.0]
    assert last[1]["tuple"][1:] == [True, False, None]


def test_the_command_writes_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "fuzz.jsonl"
    given = ["--impl=reference", "--examples=30", f"--journal={path}", f"--database={tmp_path}"]
    done = CliRunner().invoke(command, given)
    assert done.exit_code == 0, done.output
    assert "nothing differs" in done.output
    head, *_, last = map(json.loads, path.read_text("utf-8").splitlines())
    assert head["engine"] == "reference"
    assert last["programs"] >= 30


def test_another_file_is_not_taken_for_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "fuzz.jsonl"
    path.write_text('{"something": 1}\n')
    given = ["--impl=reference", "--examples=5", f"--journal={path}", "--resume"]
    done = CliRunner().invoke(command, [*given, f"--database={tmp_path}"])
    assert done.exit_code == 2
    assert "is not a journal of gradspec fuzz" in done.output
