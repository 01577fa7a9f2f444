"""The judge: which verdict a case gets for what an engine reported."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gradspec.adapters.framework.engine import End, Observations
from gradspec.conformance.judging.judge import judge
from gradspec.conformance.judging.verdict import NAMES, Verdict
from gradspec.spec.load import load_spec
from gradspec.spec.model import Behavior, Case
from gradspec.spec.problems import Place
from gradspec.spec.program.program import Expectation, Program
from gradspec.spec.program.vocabulary import Kind
from gradspec.spec.values import show
from hypothesis import given, settings
from hypothesis import strategies as st

KINDS = load_spec().kinds
NORMALLY = {"ended": {"how": "normally"}}
X = {"tensor": {"dtype": "float32", "shape": [1], "values": [2.0]}}
ZERO_DIM = {"tensor": {"dtype": "float32", "shape": [], "values": [2.0]}}


def listed(*items: Any) -> dict[str, Any]:
    return {"list": list(items)}


def refused(kind: str, type: str = "RuntimeError", message: str = "no") -> dict[str, Any]:
    return {"ended": {"how": "refused", "kind": kind, "type": type, "message": message}}


def warned(*kinds: str) -> dict[str, Any]:
    return {
        "warnings": [{"kind": kind, "type": "UserWarning", "message": "careful"} for kind in kinds]
    }


def pair(value: Any, expected: Any) -> dict[str, Any]:
    return {"pair": [value, expected]}


def expectation(
    relation: str, expected: Any = None, index: int = 0, within: int = -1
) -> Expectation:
    sides = expected is PAIR
    return Expectation(
        index, relation, None if sides else expected, sides, 10 + index, "assert x", within
    )  # type: ignore[arg-type]


PAIR = object()


def case_of(
    *expectations: Expectation, level: Any = "implied", factor: float = 16.0, double: bool = False
) -> Case:
    program = Program("sample.one/case", "sample.yaml", (), frozenset(), frozenset(), double=double)
    place = Place("sample.yaml", 1, 1)
    behavior = Behavior("sample.one", "sample", "It MUST be so.", "MUST", level, (), place)
    return Case("sample.one/case", behavior, "case", "", place, program, expectations, 0, factor)


def verdict_on(*observed: Any, of: Case, end: End | None = None, exact: bool = True) -> Verdict:
    """The verdict on a case whose observations are numbered as they come."""
    found = Observations(list(enumerate(observed)), end or End("finished"), 0.5)
    return judge(of, found, KINDS, exact)


def outcome(relation: str, expected: Any, observed: Any, exact: bool = True) -> str:
    """`pass`, or how it failed, for a case of one expectation."""
    verdict = verdict_on(observed, of=case_of(expectation(relation, expected)), exact=exact)
    return verdict.kind if verdict.verdict == "fail" else verdict.verdict


# --- every relation: what holds, and how it fails ---


@pytest.mark.parametrize(
    ("relation", "expected", "observed", "how"),
    [
        ("equal", listed(2.0), X, "pass"),
        ("equal", listed(3.0), X, "wrong-value"),
        ("equal", PAIR, pair(X, listed(2.0)), "pass"),
        ("equal", PAIR, pair(X, listed(3.0)), "wrong-value"),
        ("equal", None, X, "wrong-value"),
        ("different", listed(3.0), X, "pass"),
        ("different", listed(2.0), X, "wrong-value"),
        ("different", PAIR, pair(X, X), "wrong-value"),
        ("less", 3, 2, "pass"),
        ("less", 2, 2, "wrong-value"),
        ("at most", 2, 2, "pass"),
        ("at most", 1, 2, "wrong-value"),
        ("greater", 1, ZERO_DIM, "pass"),
        ("greater", 2, ZERO_DIM, "wrong-value"),
        ("at least", PAIR, pair(2.0, ZERO_DIM), "pass"),
        ("at least", PAIR, pair(1.0, ZERO_DIM), "wrong-value"),
        ("less", 3, {"number": "nan"}, "wrong-value"),
        ("less", 3, True, "wrong-value"),
        ("less", 3, X, "wrong-value"),
        ("less", 3, None, "wrong-value"),
        ("greater", 3, {"complex": [9.0, 0.0]}, "wrong-value"),
        ("contains", "Mul", "MulBackward0", "pass"),
        ("contains", "Mul", "AddBackward0", "wrong-value"),
        ("contains", "a", listed("b", "a"), "pass"),
        ("contains", 2.0, {"tuple": [X, 2.0]}, "pass"),
        ("contains", "key", {"dict": [["key", 1]]}, "pass"),
        ("contains", 1, "1", "wrong-value"),
        ("contains", "a", None, "wrong-value"),
        ("lacks", "Mul", "AddBackward0", "pass"),
        ("lacks", "Mul", "MulBackward0", "wrong-value"),
        ("lacks", "a", listed("b"), "pass"),
        ("lacks", "a", listed("a"), "wrong-value"),
        ("lacks", "a", None, "wrong-value"),
        ("lacks", "a", 5, "wrong-value"),
        ("is", None, None, "pass"),
        ("is", None, False, "wrong-state"),
        ("is", True, True, "pass"),
        ("is", True, False, "wrong-state"),
        ("is", True, 1, "wrong-state"),
        ("is", False, 0, "wrong-state"),
        ("is", False, None, "wrong-state"),
        ("is", None, X, "wrong-state"),
        ("is not", None, X, "pass"),
        ("is not", None, None, "wrong-state"),
        ("is not", True, 1, "pass"),
        ("refused", ("no-graph",), refused("no-graph"), "pass"),
        ("refused", ("user", "no-graph"), refused("no-graph"), "pass"),
        ("refused", ("no-graph",), refused("graph-freed"), "wrong-error"),
        ("refused", ("no-graph",), refused("broken"), "wrong-error"),
        ("refused", ("no-graph",), NORMALLY, "did-not-raise"),
        ("may be refused", ("no-graph",), NORMALLY, "pass"),
        ("may be refused", ("no-graph",), refused("no-graph"), "pass"),
        ("may be refused", ("no-graph",), refused("broken"), "wrong-error"),
        ("warned", ("non-leaf-grad",), warned("deprecated", "non-leaf-grad"), "pass"),
        ("warned", ("non-leaf-grad",), warned("deprecated"), "wrong-warning"),
        ("warned", ("non-leaf-grad",), warned(), "wrong-warning"),
        ("quiet", None, warned(), "pass"),
        ("quiet", None, warned("deprecated"), "wrong-warning"),
    ],
)
def test_relation(relation: str, expected: Any, observed: Any, how: str) -> None:
    assert outcome(relation, expected, observed) == how


def test_a_kind_that_is_none_is_told() -> None:
    found = verdict_on(refused("no-grpah"), of=case_of(expectation("refused", ("no-graph",))))
    told = "found no-grpah, a kind that `gradspec list kinds` does not have (RuntimeError: no)"
    assert found.message == f"expected an error of kind no-graph, {told}"


# --- engines whose refusals cannot all be told apart ---


@pytest.mark.parametrize(
    ("observed", "exact", "otherwise"),
    [
        (refused("refused"), "wrong-error", "pass"),
        (refused("user", message="element does not require grad"), "wrong-error", "pass"),
        (refused("user", message="something else"), "wrong-error", "wrong-error"),
        (refused("broken", "TypeError", "does not require grad"), "wrong-error", "wrong-error"),
        (refused("no-graph"), "pass", "pass"),
        (NORMALLY, "did-not-raise", "did-not-raise"),
    ],
)
def test_exact_kinds(observed: Any, exact: str, otherwise: str) -> None:
    assert outcome("refused", ("no-graph",), observed, exact=True) == exact
    assert outcome("refused", ("no-graph",), observed, exact=False) == otherwise


def test_kind_that_is_told_by_its_exception_alone() -> None:
    kinds = {"odd": Kind("odd", "refusal", "It is odd.", "That it is.", ("OddError",), ())}
    case = case_of(expectation("refused", ("odd",)))
    for type, wanted in (("OddError", "pass"), ("EvenError", "fail")):
        observations = Observations([(0, refused("user", type))], End("finished"))
        assert judge(case, observations, kinds, exact_kinds=False).verdict == wanted


@pytest.mark.parametrize(
    ("type", "message", "wanted"),
    [
        ("ValueError", "axis 3 is out of range", "pass"),
        ("ValueError", "the number of dims differs", "fail"),
        ("TypeError", "axis must be an integer", "fail"),
    ],
)
def test_kind_that_is_told_by_its_message_whatever_the_exception(
    type: str, message: str, wanted: str
) -> None:
    kinds = {"odd": Kind("odd", "refusal", "It is odd.", "That it is.", ("IndexError",), ("axis",))}
    ended = {"how": "raised", "kind": "wrong-value", "type": type, "message": message}
    observations = Observations([(0, {"ended": ended})], End("finished"))
    case = case_of(expectation("refused", ("odd",)))
    assert judge(case, observations, kinds, exact_kinds=False).verdict == wanted


def test_unknown_kind_is_no_reason_to_fall_over() -> None:
    assert outcome("refused", ("nobody-knows",), NORMALLY) == "did-not-raise"
    assert outcome("refused", ("nobody-knows",), refused("user"), exact=False) == "wrong-error"


# --- how a run ended ---


def test_unsupported_is_no_failure() -> None:
    case = case_of(expectation("is", True))
    verdict = verdict_on(of=case, end=End("unsupported", message="hooks"))
    assert (verdict.verdict, verdict.message) == ("unsupported", "hooks")


@pytest.mark.parametrize("how", ["crash", "timeout"])
def test_crash_and_timeout_are_verdicts_of_their_own(how: Any) -> None:
    end = End(how, "memory", message="it grew", line=12)
    verdict = verdict_on(True, of=case_of(expectation("is", True)), end=end)
    assert (verdict.verdict, verdict.kind, verdict.message, verdict.line) == (
        how,
        "memory",
        "it grew",
        12,
    )


def test_error_before_the_first_expectation_is_one_of_setting_up() -> None:
    end = End("error", "broken", "TypeError", "no such thing", 9)
    verdict = verdict_on(of=case_of(expectation("is", True)), end=end)
    assert (verdict.verdict, verdict.kind, verdict.setup, verdict.line) == (
        "fail",
        "unexpected-error",
        True,
        9,
    )
    assert "TypeError: no such thing" in verdict.message
    within = End("error", "broken", "TypeError", "no such thing", 10)
    assert not verdict_on(of=case_of(expectation("is", True)), end=within).setup


def test_error_after_an_expectation_is_none_of_setting_up() -> None:
    case = case_of(expectation("is", True), expectation("is", True, 1))
    verdict = verdict_on(True, of=case, end=End("error", "broken", "TypeError", "no"))
    assert (verdict.kind, verdict.setup) == ("unexpected-error", False)


def test_what_was_observed_wrong_comes_before_the_error_that_followed() -> None:
    case = case_of(expectation("is", True), expectation("is", True, 1))
    verdict = verdict_on(False, of=case, end=End("error", "broken", "TypeError", "no"))
    assert (verdict.kind, verdict.line) == ("wrong-state", 10)


def test_expectation_that_was_not_reached() -> None:
    case = case_of(expectation("is", True), expectation("is", True, 1))
    verdict = verdict_on(True, of=case)
    assert (verdict.kind, verdict.line) == ("not-reached", 11)
    assert verdict.message == "`assert x` was never reached"


def test_expectation_is_excused_where_its_block_was_refused() -> None:
    case = case_of(expectation("may be refused", ("user",)), expectation("is", True, 1, within=0))
    assert verdict_on(refused("user"), of=case).verdict == "pass"
    assert verdict_on(NORMALLY, of=case).kind == "not-reached"
    assert verdict_on(NORMALLY, False, of=case).kind == "wrong-state"


def test_a_block_that_raised_excuses_the_blocks_within_it() -> None:
    case = case_of(
        expectation("may be refused", ("user",)),
        expectation("may be refused", ("user",), 1, within=0),
        expectation("is", True, 2, within=1),
    )
    assert verdict_on(refused("user"), of=case).verdict == "pass"
    assert verdict_on(NORMALLY, of=case).kind == "not-reached"


def test_every_report_of_an_observation_must_hold() -> None:
    """An assert in a loop or a hook is reported each time it is reached."""
    case = case_of(expectation("is", True))
    twice = Observations([(0, True), (0, True)], End("finished"))
    once_wrong = Observations([(0, True), (0, False)], End("finished"))
    assert judge(case, twice, KINDS).verdict == "pass"
    assert judge(case, once_wrong, KINDS).kind == "wrong-state"


@pytest.mark.parametrize("index", [1, -1, 10**30, None, "0", [0]])
def test_observation_that_the_case_does_not_have(index: Any) -> None:
    observations = Observations([(0, True), (index, True)], End("finished"))
    verdict = judge(case_of(expectation("is", True)), observations, KINDS)
    assert (verdict.verdict, verdict.kind) == ("fail", "malformed")


# --- what a verdict tells ---


def test_verdict_tells_what_was_expected_and_observed() -> None:
    verdict = verdict_on(X, of=case_of(expectation("equal", listed(3.0))))
    assert (verdict.expected, verdict.observed, verdict.line) == (listed(3.0), X, 10)
    assert (verdict.case, verdict.seconds) == ("sample.one/case", 0.5)
    assert verdict.message.startswith("expected 3.0, found 2.0")


def test_verdict_names_the_meaning_of_a_missing_refusal() -> None:
    verdict = verdict_on(NORMALLY, of=case_of(expectation("refused", ("no-graph",))))
    assert KINDS["no-graph"].meaning.rstrip(".") in verdict.message


@pytest.mark.parametrize(("level", "must"), [("implied", True), ("observed", False)])
def test_verdict_knows_whether_it_counts(level: str, must: bool) -> None:
    assert verdict_on(True, of=case_of(expectation("is", True), level=level)).must is must


def test_tolerance_of_the_case_is_used() -> None:
    off = {"tensor": {"dtype": "float32", "shape": [1], "values": [2.001]}}
    for factor, wanted in ((16.0, "fail"), (10_000.0, "pass")):
        case = case_of(expectation("equal", listed(2.0)), factor=factor)
        assert verdict_on(off, of=case).verdict == wanted


def test_float32_has_lost_precision_where_a_program_computes_in_float64() -> None:
    """Unless the engine has no float64: then the program ran in float32."""
    third = {"tensor": {"dtype": "float32", "shape": [1], "values": [0.3333333432674408]}}
    stated = expectation("equal", listed(1 / 3))
    assert verdict_on(third, of=case_of(stated)).verdict == "pass"
    verdict = verdict_on(third, of=case_of(stated, double=True))
    assert verdict.verdict == "fail"
    assert "in float32 though the program computes in float64" in verdict.message
    reported = Observations([(0, third)], End("finished"), 0.5)
    narrow = judge(case_of(stated, double=True), reported, KINDS, widest_float="float32")
    assert narrow.verdict == "pass"


@pytest.mark.parametrize(("word", "wanted"), [("sin", "pass"), ("float64", "fail")])
def test_a_wider_result_need_not_be_more_precise_than_the_program(word: str, wanted: str) -> None:
    third = {"tensor": {"dtype": "float64", "shape": [1], "values": [0.3333333432674408]}}
    case = case_of(expectation("equal", listed(1 / 3)))
    program = replace(case.program, words=(word,))
    assert verdict_on(third, of=replace(case, program=program)).verdict == wanted


# --- garbage ---

RELATIONS: list[tuple[str, Any]] = [
    ("equal", listed(1.0, listed(2.0))),
    ("equal", None),
    ("equal", 5),
    ("equal", {"complex": [1.0, 2.0]}),
    ("equal", {"dict": [["a", 1]]}),
    ("equal", {"either": [listed(1.0), None]}),
    ("equal", PAIR),
    ("different", listed(1.0)),
    ("different", PAIR),
    ("less", 3),
    ("greater", PAIR),
    ("contains", "a"),
    ("lacks", listed(1.0)),
    ("is", None),
    ("is not", True),
    ("refused", ("no-graph",)),
    ("may be refused", ("no-graph",)),
    ("warned", ("deprecated",)),
    ("quiet", None),
]


@pytest.mark.parametrize(("relation", "expected"), RELATIONS)
@pytest.mark.parametrize(
    "observed",
    [
        {},
        {"pair": []},
        {"pair": 5},
        {"ended": None},
        {"ended": {}},
        {"warnings": 5},
        {"warnings": [None]},
        {"tensor": {}},
        {"tensor": {"dtype": "float32", "shape": [], "values": []}},
        {"number": "many"},
        {"number": None},
        {"complex": 5},
        {"complex": [1]},
        {"complex": [None, None]},
        {"list": 5},
        {"list": [{"list": None}]},
        {"dict": 5},
        {"dict": [1, 2]},
        {"dict": [[[], 1]]},
        10**400,
        -(10**400),
        {"tensor": {"dtype": "float32", "shape": [1], "values": [10**400]}},
        {"tensor": {"dtype": "float32", "shape": [10**400], "values": [1.0]}},
        {"ended": {"how": "refused", "kind": []}},
        {"pair": [{"either": 5}, 5]},
        "\ud800",
    ],
    ids=lambda value: show(value, 30),
)
def test_garbage_is_a_failure(relation: str, expected: Any, observed: Any) -> None:
    """Nothing that is no value passes, but where anything else than a given value is right."""
    how = outcome(relation, expected, observed)
    assert how != "pass" or relation in ("is not", "different", "lacks")


def nested(depth: int) -> Any:
    value: Any = 1.0
    for _ in range(depth):
        value = listed(value)
    return value


@pytest.mark.parametrize(("relation", "expected"), RELATIONS)
def test_deep_values(relation: str, expected: Any) -> None:
    outcome(relation, expected, nested(5000))
    outcome(relation, expected, pair(nested(5000), nested(5000)))


NUMBERS = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False))
LEAVES = st.one_of(
    st.none(), st.booleans(), NUMBERS, st.text(max_size=5), st.sampled_from(["nan", "float32"])
)
KEYS = st.sampled_from(
    [
        "number",
        "complex",
        "list",
        "tuple",
        "dict",
        "tensor",
        "dtype",
        "shape",
        "values",
        "node",
        "object",
        "either",
        "pair",
        "ended",
        "how",
        "kind",
        "type",
        "message",
        "warnings",
    ]
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)
TENSORS = st.fixed_dictionaries(
    {
        "tensor": st.fixed_dictionaries(
            {
                "dtype": st.sampled_from(["float32", "int64", "bool", "complex64", "unknown"]),
                "shape": st.lists(st.integers(0, 3), max_size=3),
                "values": st.lists(JSON, max_size=4),
            }
        )
    }
)


@given(
    relation=st.sampled_from(RELATIONS),
    observed=st.lists(st.tuples(st.integers(-1, 2), st.one_of(JSON, TENSORS)), max_size=4),
    exact=st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_judge_never_raises(relation: tuple[str, Any], observed: list[Any], exact: bool) -> None:
    case = case_of(expectation(*relation), expectation("may be refused", ("user",), 1))
    verdict = judge(case, Observations(observed, End("finished")), KINDS, exact)
    assert verdict.verdict in NAMES
    assert isinstance(show(verdict.observed), str)
    assert Verdict.from_json(json.loads(json.dumps(verdict.to_json()))).verdict == verdict.verdict
    if observed and any(index == -1 for index, _ in observed):
        assert verdict.kind == "malformed"


# --- the whole of our own specification ---


def test_nothing_reported_is_never_a_pass() -> None:
    nothing = Observations([], End("finished"))
    for case in load_spec().cases:
        assert judge(case, nothing, KINDS).kind == "not-reached", case.id


@pytest.mark.parametrize(
    "value", [None, True, False, 0, "", listed(), X, NORMALLY, refused("refused"), warned()]
)
def test_one_answer_to_everything_passes_little(value: Any) -> None:
    """An engine that always reports the same passes next to nothing."""
    cases = load_spec().cases[::5]
    passed = [
        case.id
        for case in cases
        if judge(
            case,
            Observations([(item.index, value) for item in case.expectations], End("finished")),
            KINDS,
        ).verdict
        == "pass"
    ]
    assert len(passed) < 0.05 * len(cases), passed[:20]


def test_places_are_those_of_the_chapter(tmp_path: Path) -> None:
    for case in load_spec().cases[::50]:
        verdict = judge(case, Observations([], End("finished")), KINDS)
        assert verdict.line >= case.first_line
