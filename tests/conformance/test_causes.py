"""Failures are grouped by their roots, and what weighs most is told first."""

from __future__ import annotations

import ast
import gc
from pathlib import Path
from typing import Any

import pytest
from gradspec.conformance.judging.score import score_of
from gradspec.conformance.judging.verdict import Verdict
from gradspec.conformance.reporting.causes import call_of, causes_of, gist, pattern_of
from gradspec.conformance.reporting.summary import fix_first
from gradspec.conformance.running.journal import read_journal
from gradspec.conformance.running.runner import Options, open_session
from gradspec.spec.load import load_spec
from suite_kit import (
    LIARS,
    REPOSITORY,
    gradspec,
    make_tiny_spec,
    run_pytest,
    spec_of_programs,
    verdicts_on,
)

ENGINE = '''
"""A tape whose product raises, whose second pass is not refused, and whose sum is wrong."""
from honest import *
from honest import Tensor

def broken(self, other):
    raise ValueError(f"cannot multiply shapes {self.shape} and 7")

def two_lines_below(self, other):
    raise ValueError(f"cannot multiply shapes {self.shape} and 7")

Tensor.__mul__ = broken
Tensor.__rmul__ = two_lines_below
'''


def tensor(*values: Any, dtype: str = "float32") -> dict[str, Any]:
    return {"tensor": {"dtype": dtype, "shape": [len(values)], "values": list(values)}}


def numbers(*values: Any) -> dict[str, Any]:
    return {"list": list(values)}


@pytest.mark.parametrize(
    ("expected", "observed", "told"),
    [
        (numbers(2.0, 3.0), None, "None instead of a value"),
        (None, tensor(0.0), "a value instead of None"),
        (True, False, "False instead of True"),
        (numbers(2.0, 3.0), tensor(-2.0, -3.0), "of the opposite sign"),
        (numbers(2.0, 3.0), tensor(4.0, 6.0), "twice as large"),
        (numbers(2.0, 3.0), tensor(1.0, 1.5), "half as large"),
        (numbers(2.0, 3.0), tensor(0.0, 0.0), "zero instead of another value"),
        (numbers(2.0, 3.0), tensor(2.0), "of another shape"),
        (numbers(2.0, 3.0), tensor(2.0, {"number": "nan"}), "nan instead of a number"),
        ({"dtype": "float64"}, {"dtype": "float32"}, "float32 instead of float64"),
        ("source", {"pair": [tensor(4.0), tensor(2.0)]}, "twice as large"),
        (numbers(2.0, 3.0), tensor(2.0, 5.0), ""),
        (numbers(0.0), tensor(0.5), ""),
        (numbers(2.0), "text", ""),
    ],
)
def test_patterns_of_wrong_values(expected: Any, observed: Any, told: str) -> None:
    assert pattern_of(expected, observed) == told


def failure(case: str, expected: Any, observed: Any, message: str) -> Verdict:
    found = next(each for each in load_spec().cases if each.id == case)
    line = found.expectations[0].line
    return Verdict(case, "fail", "wrong-value", message, expected, observed, line)


def test_one_form_of_the_gradients_of_several_functions_is_one_cause() -> None:
    expected = {"tuple": [numbers(1.0), numbers(2.0)]}
    observed = {"tuple": [tensor(1.0), tensor(2.0, 0.0)]}
    wrong = [
        failure(case, expected, observed, "item 1: other")
        for case in ("binary.hypot/gradient", "binary.atan2/gradient")
    ]
    (cause,) = causes_of(wrong, load_spec())
    assert cause.title == "`vjp(...)[1]` is of another shape"


def test_wrong_numbers_of_several_functions_are_causes_of_their_own() -> None:
    wrong = [
        failure(case, {"tuple": [numbers(1.0), numbers(2.0)]}, {"tuple": [tensor(1.0), tensor(-2.0)]}, "item 1: x")
        for case in ("binary.div/as-a-function-gradient", "binary.div/as-an-operator-gradient", "binary.hypot/gradient")
    ]  # fmt: skip
    found = causes_of(wrong, load_spec())
    assert [len(cause.cases) for cause in found] == [2, 1]
    assert [cause.title for cause in found] == [
        f"binary.{name}: `vjp(...)[1]` is of the opposite sign" for name in ("div", "hypot")
    ]


def test_what_is_no_result_of_several_items_is_told_by_its_message() -> None:
    wrong = failure("binary.hypot/gradient", {"tuple": [numbers(1.0)]}, "text", "item 1: beyond")
    (cause,) = causes_of([wrong], load_spec())
    assert cause.title == "binary.hypot: item 1: beyond"


def test_a_long_title_is_cut_with_dots() -> None:
    wrong = failure("binary.hypot/gradient", "text", "x" * 300, "y" * 300)
    (cause,) = causes_of([wrong], load_spec())
    assert cause.title == "binary.hypot: " + "y" * 133 + "..."


def raised(
    case: str,
    message: str,
    where: str = "tape/ops.py:7",
    setup: bool = False,
    name: str = "ValueError",
) -> Verdict:
    ended = {"ended": {"how": "refused", "type": name, "message": message}}
    return Verdict(case, "fail", "unexpected-error", observed=ended, where=where, setup=setup)


def test_one_exception_at_one_line_is_one_cause() -> None:
    found = [
        raised("unary.floor/in-float64", "'floor' cannot involve constants"),
        raised("unary.ceil/in-float64", "'ceil' cannot involve constants"),
        raised("unary.trunc/in-float64", "'trunc' cannot involve constants", "tape/ops.py:8"),
    ]
    titles = [(cause.title, len(cause.cases)) for cause in causes_of(found, load_spec())]
    assert titles == [
        ("tape/ops.py:7 raises ValueError: ... cannot involve constants", 2),
        ("tape/ops.py:8 raises ValueError: 'trunc' cannot involve constants", 1),
    ]


def test_a_recursion_without_end_is_one_cause_wherever_the_stack_is_full() -> None:
    found = [
        raised("unary.floor/in-float64", "maximum recursion depth exceeded", name="RecursionError"),
        raised("unary.ceil/in-float64", "maximum recursion depth exceeded while calling a Python object",
               "tape/ops.py:9", name="RecursionError"),
    ]  # fmt: skip
    (cause,) = causes_of(found, load_spec())
    assert cause.title == "tape/ops.py raises RecursionError: maximum recursion depth exceeded ..."


def test_a_refusal_that_prints_its_arguments_is_one_cause() -> None:
    said = "permute(): incompatible function arguments. The following argument types are supported:\n  1. (dims: int)"
    found = [
        raised(
            "shape.permute/value", f"{said}\n\nInvoked with: tensor([[1., 2.]]), (1, 0)", where=""
        ),
        raised(
            "shape.permute/gradient",
            f"{said}\n\nInvoked with: tensor(3., requires_grad=True), (0,)",
            where="",
        ),
    ]
    (cause,) = causes_of(found, load_spec())
    assert len(cause.cases) == 2


def test_the_title_is_that_of_the_example() -> None:
    law = "laws.operands-in-any-layout/reduction.prod"
    found = [
        failure(law, numbers(2.0), numbers(5.0), "prod"),
        failure(law.replace("prod", "nanmean"), numbers(2.0), numbers(7.0), "nanmean"),
    ]
    found[0].blamed_on = "reduction.prod"
    (cause,) = causes_of(found, load_spec())
    assert cause.example.case == law
    assert cause.title.endswith("prod")


def test_what_is_returned_in_the_place_of_a_tensor_is_one_cause() -> None:
    found = [
        raised(
            "binary.eq/as-an-operator-value",
            f"'numpy.ndarray' object has no attribute '{name}'",
            where="",
        )
        for name in ("to", "requires_grad")
    ]
    found[1].case = "binary.ne/as-an-operator-value"
    (cause,) = causes_of(found, load_spec())
    assert cause.title == "raises ValueError: 'numpy.ndarray' object has no attribute ..."


def test_what_broke_during_setup_is_attributed_to_its_owner() -> None:
    setup = raised(
        "requires_grad.piecewise-constant-stays-tracked/by-each-of-them[floor]", "no", setup=True
    )
    (cause,) = causes_of([setup, raised("unary.floor/in-float64", "no")], load_spec())
    assert [verdict.case for verdict in cause.cases] == ["unary.floor/in-float64"]
    assert cause.follow == [setup]
    assert setup.blamed_on == "unary.floor"
    assert score_of([setup]).must.setup == 1


def test_a_law_fails_because_of_its_operation() -> None:
    law = failure("laws.each-operand-alone/binary.hypot", [1.0], [2.0], "item 0: a")
    (cause,) = causes_of(
        [law, failure("binary.hypot/gradient", [1.0], [2.0], "item 1: b")], load_spec()
    )
    assert (cause.title, cause.follow) == ("binary.hypot: item 1: b", [law])


def test_what_no_other_behavior_owns_is_a_case_of_its_own() -> None:
    setup = raised(
        "requires_grad.piecewise-constant-stays-tracked/by-each-of-them[floor]", "no", setup=True
    )
    (cause,) = causes_of([setup], load_spec())
    assert (cause.cases, cause.follow, setup.blamed_on) == ([setup], [], "")


def test_an_error_within_the_first_assertion_is_no_setup(tmp_path: Path, liars: Path) -> None:
    spec = spec_of_programs(
        tmp_path / "spec",
        {"before": "x = tensor([1.0]) * tensor([1.0, 2.0])\nassert x == [1.0]",
         "within": "x = tensor([1.0])\nassert x * tensor([1.0, 2.0]) == [1.0]"},
    )  # fmt: skip
    found = verdicts_on("module:honest", spec)
    assert {name: verdict.setup for name, verdict in found.items()} == {
        "before": True,
        "within": False,
    }


DETACHED = """
class Tensor:
    grad = None

    def __init__(self, values, requires_grad=False):
        self.values, self.requires_grad = values, requires_grad

    shape = property(lambda self: (len(self.values),))

    def tolist(self):
        return self.values

    def detach(self):
        return Tensor(self.values)

    def requires_grad_(self):
        self.requires_grad = True

    def __mul__(self, other):
        return Tensor([a * b for a, b in zip(self.values, other.values)])  # which records nothing

tensor = Tensor

def zeros_like(like):
    return Tensor([0.0] * len(like.values))

class autograd:
    grad = staticmethod(lambda *arguments, **options: None)
"""


def test_a_result_without_history_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "detached.py").write_text(DETACHED, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    program = (
        "x = tensor([3.0])\n(g,) = vjp(lambda x: x * x, (x,), tensor([1.0]))\nassert g == [6.0]"
    )
    spec = spec_of_programs(tmp_path / "spec", {"square": program})
    (verdict,) = verdicts_on("module:detached", spec).values()
    assert verdict.message.endswith("; the result does not require grad"), verdict
    (cause,) = causes_of([verdict], load_spec(spec))
    assert cause.title.endswith("the result does not require grad")


class ParsesAtItsEnd:
    """In a cycle, so that the collector destroys it, at whatever moment."""

    def __init__(self) -> None:
        self.own = self

    def __del__(self) -> None:
        ast.parse("f(x)[1]")


def test_what_an_engine_leaves_behind_may_parse_too() -> None:
    before = gc.get_threshold()
    try:
        for allocations in range(1, 200):
            ParsesAtItsEnd()
            gc.set_threshold(allocations)
            assert (
                call_of("g(x, y)[1].grad + h(z, [1, 2, 3])") == "g(x, y)[1].grad + h(z, [1, 2, 3])"
            )
            gc.set_threshold(*before)
    finally:
        gc.set_threshold(*before)
        gc.collect()  # or the last ones parse within whatever runs next


def test_messages_differ_only_in_what_matters() -> None:
    one = gist("operands could not be broadcast together with shapes (2,3) (4,)")
    assert one == gist("operands could not be broadcast together with shapes (5,) (7,1,2)")
    assert one != gist("operands could not be cast together with shapes (2,3) (4,)")


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    (tmp_path / "broken.py").write_text(ENGINE, "utf-8")
    return tmp_path


def test_one_root_is_told_once(broken: Path, tiny_spec: Path) -> None:
    found = gradspec(
        "run", "--impl=module:broken", f"--spec={tiny_spec}", "--failures=1",
        cwd=broken, PYTHONPATH=f"{LIARS}:{broken}",
    )  # fmt: skip
    assert found.returncode == 1, found.stderr
    out = found.stdout
    # seven cases multiply, by one line of the engine, five of them before their own subject
    assert "1. broken.py:7 raises ValueError: cannot multiply shapes (1,) and 7" in out
    assert out.count("--- tiny.") == 1
    first = out.index("--- tiny.leaf/a-new-tensor: fail")
    assert out.index("2 cases, and 5 that depend on them") < first
    assert "A new tensor MUST be a leaf." in out
    assert "reproduce: gradspec repro 'tiny.leaf/a-new-tensor' --impl=module:broken" in out
    assert "also failing: tiny.departs" in out
    verdicts = read_journal(broken / "results" / "module_broken.jsonl").verdicts
    assert {v.where for v in verdicts if v.kind == "unexpected-error"} == {"broken.py:7"}


def test_every_departure_is_in_exactly_one_cause() -> None:
    """On an engine that gets nearly everything wrong."""
    spec = load_spec()
    session = open_session(Options("agreeable"))
    verdicts = [session.run_case(case) for case in spec.cases[::45]]
    session.close()
    departing = [v.case for v in verdicts if v.verdict == "fail"]
    causes = causes_of(verdicts, spec)
    told = [v.case for cause in causes for v in (*cause.cases, *cause.follow)]
    assert sorted(told) == sorted(departing)
    assert len(causes) < len(departing)
    weights = [cause.must for cause in causes]
    assert weights == sorted(weights, reverse=True)


def test_what_needs_a_behavior_that_departs_follows_it(liars: Path, tmp_path: Path) -> None:
    """Unless its own root is told anyway."""
    spec = load_spec(make_tiny_spec(tmp_path / "spec"))
    session = open_session(Options("module:honest"), tmp_path / "spec")
    verdicts = {case.id: session.run_case(case) for case in spec.cases}
    session.close()
    adds, victim = verdicts["tiny.adds/two-passes"], "tiny.victim/the-case-to-misbehave-on"
    for verdict, value in ((adds, 2.0), (verdicts[victim], 9.0)):
        verdict.verdict, verdict.kind, verdict.line = "fail", "wrong-value", 0
        verdict.message, verdict.expected = f"expected 4.0, found {value}", numbers(4.0)
        verdict.observed = tensor(value)
    causes = causes_of(verdicts.values(), spec)
    assert [v.case for v in causes[0].cases] == [adds.case]
    assert [v.case for v in causes[0].follow] == [victim]
    assert causes[0].count() == "1 case, and 1 that depends on it"


def test_what_an_engine_says_may_be_garbage(tiny_spec: Path) -> None:
    spec = load_spec(tiny_spec)
    case = "tiny.adds/two-passes"
    for observed in (tensor(10**400), {"tensor": 5}, {"list": 3}, {"number": []}, {"pair": [1]}):
        verdict = Verdict(case, "fail", "wrong-value", "half a \ud800", numbers(4.0), observed, 11)
        (cause,) = causes_of([verdict], spec)
        assert cause.title.isprintable()


def test_nothing_is_told_of_an_engine_that_departs_nowhere() -> None:
    session = open_session(Options("reference"))
    verdicts = [session.run_case(case) for case in session.cases()[:40]]
    assert fix_first(verdicts, session.spec, "reference", 5, "j.jsonl") == []


def test_pytest_tells_one_of_a_cause_at_length(broken: Path, tiny_spec: Path) -> None:
    for verbose in (False, True):
        found = run_pytest(
            "--impl=module:broken", f"--spec={tiny_spec}", *(["-v"] if verbose else []),
            cwd=broken, PYTHONPATH=f"{LIARS}:{broken}",
        )  # fmt: skip
        at_length = found.stdout.count("-> ")
        assert at_length == (7 if verbose else 1), found.stdout
    assert "failures, " in found.stdout
    assert "gradspec repro 'tiny.adds/two-passes' --impl=module:broken" in found.stdout


def test_a_process_may_tell_where_it_raised(broken: Path, tiny_spec: Path) -> None:
    found = gradspec(
        "run", "--impl=module:broken", "--isolate", f"--spec={tiny_spec}",
        cwd=broken, PYTHONPATH=f"{LIARS}:{broken}:{REPOSITORY}",
    )  # fmt: skip
    assert "broken.py:7 raises ValueError" in found.stdout, found.stdout + found.stderr


def test_one_line_of_each_failure_where_a_line_is_asked_for(broken: Path, tiny_spec: Path) -> None:
    """CI services set CI, and pytest then prints whole texts in its short summary."""
    found = run_pytest(
        "--impl=module:broken", f"--spec={tiny_spec}", "-v", "--junitxml=junit.xml",
        cwd=broken, PYTHONPATH=f"{LIARS}:{broken}", CI="true",
    )  # fmt: skip
    _, summary = found.stdout.split("short test summary info")
    failed = [line for line in summary.splitlines()[1:] if not line.startswith("=")]
    assert len(failed) == 7, summary
    assert all(line.startswith("FAILED ") and "broken.py:7" in line for line in failed)
    junit = (broken / "junit.xml").read_text("utf-8")
    assert 'message="the engine raised ValueError: cannot multiply' in junit
    assert "-&gt; (x * 2.0).backward()" in junit
