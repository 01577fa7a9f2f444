"""Operations that are statements, kinks of a form, and the formulas' own functions."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from folders import load_folder, make_folder, problems_of
from gradspec.spec.catalogue.formulas import (
    products_of_others,
    spread,
    through_running_products,
    through_unit,
    unit,
)

HEAD = """\
title: Sample
introduction: Operations for a test.
operations:
"""
STATEMENT = """\
  - id: sample.setitem
    gives: the elements with a row replaced
    documented: torch.Tensor.__setitem__
    operands: {x: {shape: [2, 3]}, y: {shape: [3]}}
    in_place: x[1] = y
    value: put_at(x, 1, y)
    gradient: {x: "put_at(g, 1, 0.0)", y: "g[1]"}
"""
KINKS = """\
  - id: sample.amax
    gives: the largest element
    documented: torch.amax
    operands: {x: {values: [[1.5, -0.75, 2.25], [0.5, 3.0, -1.25]]}}
    forms:
      of all: {call: amax(x), value: max(x), gradient: {x: g * (x == out)}}
      of rows:
        call: amax(x, 1)
        value: max(x, axis=1)
        gradient: {x: "spread(g, 1, x.shape) * (x == spread(out, 1, x.shape))"}
    at_kinks:
      equal: {form: FORM, x: [[1.0, 1.0], [0.0, 2.0]], gradient: {x: [[0.5, 0.5], [0.0, 1.0]]}}
"""


def with_operations(root: Path, text: str) -> Path:
    made = make_folder(root, {})
    (made / "ops").mkdir()
    (made / "ops" / "sample.yaml").write_text(HEAD + text)
    return made


def test_a_statement_has_cases_in_place_alone(tmp_path: Path) -> None:
    (behavior,) = load_folder(with_operations(tmp_path / "spec", STATEMENT)).behaviors
    assert "`x[1] = y` MUST give" in behavior.statement
    (case,) = behavior.cases
    assert case.name == "in place"
    for line in ("x[1] = y", "assert leaf.grad == ", "assert y.grad == "):
        assert line in case.text


def test_an_operation_needs_a_call_or_a_statement(tmp_path: Path) -> None:
    text = STATEMENT.replace("    in_place: x[1] = y\n", "")
    (problem,) = problems_of(with_operations(tmp_path / "spec", text))
    assert "missing 'call'" in problem.message


SUMS = """\
  - id: sample.sum
    gives: the sum
    documented: torch.add
    operands: {x: {}, y: {}}
    forms:
      longer: {operands: {x: {shape: [4]}, y: {shape: [4]}}, call: "add(x, y)", value: x + y, gradient: {x: g, y: g}}
"""


def test_operands_of_another_shape_stay_different(tmp_path: Path) -> None:
    spec = load_folder(with_operations(tmp_path / "spec", SUMS))
    x, y = spec.behaviors[0].cases[0].text.splitlines()[:2]
    assert x.removeprefix("x = ") != y.removeprefix("y = ")


CALLED_IN_PLACE = """\
  - id: sample.relu
    gives: each element that is positive
    documented: torch.relu
    operands: {x: {between: [1, 2]}}
    call: relu(x)
    in_place: add(1.0, x)
    value: x
    gradient: {x: g}
"""


def test_an_in_place_variant_that_is_a_function(tmp_path: Path) -> None:
    spec = load_folder(with_operations(tmp_path / "spec", CALLED_IN_PLACE))
    (case,) = (case for case in spec.behaviors[0].cases if case.name == "in place")
    for line in ("x = leaf.clone()", "add(1.0, x)", "assert x == ", "assert leaf.grad == "):
        assert line in case.text


def test_an_entry_may_not_be_elementwise_in_a_file_that_is(tmp_path: Path) -> None:
    def names(own: str) -> set[str]:
        text = CALLED_IN_PLACE.replace("    call:", f"{own}    call:")
        made = with_operations(tmp_path / f"spec{len(own)}", text)
        file = made / "ops" / "sample.yaml"
        file.write_text(
            file.read_text().replace("operations:", "elementwise: true\noperations:", 1)
        )
        return {case.name for case in load_folder(made).behaviors[0].cases}

    assert "without dimensions" in names("")
    assert "without dimensions" not in names("    elementwise: false\n")


def test_elementwise_is_true_or_false(tmp_path: Path) -> None:
    text = CALLED_IN_PLACE.replace("    call:", "    elementwise: 3\n    call:")
    (problem,) = problems_of(with_operations(tmp_path / "spec", text))
    assert "expected elementwise to be true or false" in problem.message


def test_a_kink_of_a_form(tmp_path: Path) -> None:
    spec = load_folder(with_operations(tmp_path / "spec", KINKS.replace("FORM", "of rows")))
    *_, kinks, values = spec.behaviors
    assert "amax(x, 1), (x,), tensor([1.0, 1.0]))" in kinks.cases[0].text
    assert (kinks.id, kinks.strength) == ("sample.amax-at-kinks", "SHOULD")
    assert values.cases[0].text.endswith("assert amax(x, 1) == [1.0, 2.0]\n")
    assert (values.id, values.strength) == ("sample.amax-value-at-kinks", "MUST")


def test_a_kink_with_a_value_of_its_own(tmp_path: Path) -> None:
    text = KINKS.replace("FORM", "of rows").replace(
        "2.0]], gradient", "2.0]], value: [1.0, 2.0], gradient"
    )
    kinks = load_folder(with_operations(tmp_path / "spec", text)).behaviors[-1]
    assert kinks.id == "sample.amax-at-kinks"
    assert "assert amax(x, 1) == [1.0, 2.0]" in kinks.cases[0].text


def test_a_kink_of_an_unknown_form(tmp_path: Path) -> None:
    (problem,) = problems_of(
        with_operations(tmp_path / "spec", KINKS.replace("FORM", "of columns"))
    )
    assert "expected form to be one of of all, of rows" in problem.message


def test_products_of_others() -> None:
    x = np.array([[2.0, 0.0, 3.0], [5.0, 7.0, 0.0]])
    assert products_of_others(x, 1).tolist() == [[0.0, 6.0, 0.0], [0.0, 0.0, 35.0]]
    assert not products_of_others(x, (0, 1)).any()
    x[0, 1] = 1.0
    assert products_of_others(x, (0, 1))[1, 2] == 210.0


def test_through_running_products() -> None:
    x, g = np.array([2.0, 0.0, 3.0]), np.array([1.0, 10.0, 100.0])
    # out = (x0, x0 x1, x0 x1 x2)
    assert through_running_products(g, x, 0).tolist() == [1.0, 2 * 10 + 6 * 100, 0.0]


def test_through_unit_is_the_derivative_of_unit() -> None:
    x, g, way = np.array([[3.0, 4.0]]), np.array([[1.0, -2.0]]), np.array([[0.5, 0.25]])
    step = 1e-6
    slope = np.sum(g * (unit(x + step * way, 1) - unit(x - step * way, 1))) / (2 * step)
    assert abs(np.sum(through_unit(g, x, 1) * way) - slope) < 1e-9


def test_spread() -> None:
    assert spread(np.array([1.0, 2.0]), 1, (2, 3)).tolist() == [[1.0] * 3, [2.0] * 3]
    assert spread(np.array(1.0), (0, 1), (2, 3)).shape == (2, 3)


DERIVED = """\
  - id: sample.outer
    gives: every product of an element of one and an element of the other
    documented: torch.outer
    operands: {x: {shape: [2]}, y: {shape: [3]}}
    call: outer(x, y)
    value: outer(x, y)
    gradient: GRADIENT
"""


def cases_of(folder: Path) -> dict[str, str]:
    return {case.name: case.text for case in load_folder(folder).cases}


def numbers_in(text: str) -> list[float]:
    """What a program expects, rounded to what finite differences leave of it."""
    expected = " ".join(re.findall(r"==.*", text))
    return [round(float(n), 8) for n in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", expected)]


def test_a_gradient_without_a_formula_is_the_derivative_of_the_value(tmp_path: Path) -> None:
    by_formula = DERIVED.replace("GRADIENT", "{x: g @ y, y: x @ g}")
    derived = DERIVED.replace("GRADIENT", "[x, y]")
    expected = cases_of(with_operations(tmp_path / "formula", by_formula))
    found = cases_of(with_operations(tmp_path / "derived", derived))
    assert set(found) == set(expected)
    for name in expected:
        assert numbers_in(found[name]) == numbers_in(expected[name]), name


def test_the_gradient_of_a_complex_operand_is_the_conjugate_of_the_derivative(
    tmp_path: Path,
) -> None:
    entry = DERIVED.replace("{shape: [2]}, y: {shape: [3]}", "{shape: [2], complex: true}")
    entry = entry.replace("outer(x, y)", "square(x)")
    by_formula = entry.replace("GRADIENT", "{x: 2 * g * conj(x)}")
    derived = entry.replace("GRADIENT", "[x]")
    expected = cases_of(with_operations(tmp_path / "formula", by_formula))
    found = cases_of(with_operations(tmp_path / "derived", derived))
    assert "dtype=complex128" in found["in float64"]
    assert numbers_in(found["gradient"]) == numbers_in(expected["gradient"])


EDGES = """\
  - id: sample.log
    gives: the logarithm
    documented: torch.log
    operands: {x: {between: [0.25, 4]}}
    call: log(x)
    value: log(x)
    gradient: {x: g / x}
    saves: SAVES
    edges:
      the end of the domain: {x: [0.0]}
      infinity: {x: [.inf], value: [.inf], gradient: {x: [0.0]}}
    raises:
      no number: {call: "log(tensor('a'))", kind: [wrong-type, wrong-value]}
"""


def test_edges_and_refusals_are_behaviors_of_their_own(tmp_path: Path) -> None:
    folder = with_operations(tmp_path / "spec", EDGES.replace("SAVES", "[x]"))
    plain, edges, refuses = load_folder(folder).behaviors
    assert (edges.id, edges.strength) == ("sample.log-at-edges", "MUST")
    end, infinity = edges.cases
    assert "assert log(x) == [-inf]" in end.text
    assert "== ([inf],)" in end.text
    assert "assert log(x) == [inf]" in infinity.text
    assert refuses.id == "sample.log-refuses"
    assert 'with raises("wrong-type", "wrong-value"):' in refuses.cases[0].text
    assert not any("edge" in case.name for case in plain.cases)


def test_edges_of_an_elementwise_operation_are_tested_in_blocks_in_forward_mode_and_twice(
    tmp_path: Path,
) -> None:
    elementwise = HEAD.replace("operations:", "elementwise: true\noperations:")
    text = EDGES.replace("SAVES", "[x]").replace("[0.0]}}", "[0.0]}, second: {x: [-0.5]}}")
    folder = with_operations(tmp_path / "spec", text)
    (folder / "ops" / "sample.yaml").write_text(elementwise + text)
    _, edges, _ = load_folder(folder).behaviors
    end, tangent, infinity, *others = edges.cases
    assert "assert log(x) == [-inf] * 33" in end.text
    assert tangent.name == "the end of the domain, tangent"
    assert "assert jvp(lambda x: log(x), (x,), (g,)) == [inf]" in tangent.text
    assert "tensor([1.0] * 33)" in infinity.text
    names = [
        "infinity, tangent",
        "infinity, second order",
        "infinity, second order in forward mode",
    ]
    assert [case.name for case in others] == names
    gradient = "lambda x: vjp(lambda x: log(x), (x,), g)[0]"
    assert f"assert vjp({gradient}, (x,), g) == ([-0.5],)" in others[1].text
    assert f"assert jvp({gradient}, (x,), (g,)) == [-0.5]" in others[2].text


def test_what_an_operation_saves_are_its_operands_and_its_result(tmp_path: Path) -> None:
    folder = with_operations(tmp_path / "spec", EDGES.replace("SAVES", "[x, z]"))
    assert any(
        problem.message == "expected saves to name operands, or `out`, found 'z'"
        for problem in problems_of(folder)
    )
