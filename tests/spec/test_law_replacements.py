"""Laws about operands that are replaced by numbers, integers, parts of them or NaN, and about how a function is
called."""

from __future__ import annotations

from pathlib import Path

import pytest

from .test_laws import OPERATIONS, cases_of, laws_of, lines

NUMBERS = """\
for NUMBER in NUMBERS:
    GIVEN
    assert CALL == VALUE
    assert vjp(FUNCTION, INPUTS, COTANGENT) == GRADIENTS
"""
MORE = """\
  - id: sample.scaled
    gives: a third of a multiple
    documented: torch.add
    operands: {x: {shape: [2], between: [1, 3]}, y: {shape: [2, 2], between: [1, 3]}}
    forms:
      operator: {call: x / y, value: x / y, gradient: {x: g / y, y: "-g * x / (y * y)"}}
      number: {call: x / 1.5, value: x / 1.5, gradient: {x: g / 1.5}}
      function: {call: "where(y < 9.0, x, y)", value: x + 0 * y, gradient: {x: g, y: 0 * g}}
"""


def cases(root: Path, program: str, more: str = "") -> dict[str, list[str]]:
    """The lines of each case of a law, by what it is about."""
    operations = "elementwise: true\n" + OPERATIONS + MORE
    made = cases_of(laws_of(root / "spec", program, more, operations=operations))
    return {name: lines(case) for name, case in made.items()}


def test_a_number_stands_for_each_operand_of_an_operator(tmp_path: Path) -> None:
    made = cases(tmp_path, NUMBERS, "only: [number]")
    assert set(made) == {"sample.scaled[operator]", "sample.scaled[number]"}
    operator = made["sample.scaled[operator]"]
    assert [line[:12] for line in operator if line[:4] in ("x = ", "y = ")] == [
        "x = 2.2", "y = tensor([", "x = tensor([", "y = 2.8",
    ]  # fmt: skip
    assert operator[3].startswith("assert vjp(lambda y: x / y, (y,), tensor([[")
    assert operator[7].startswith("assert vjp(lambda x: x / y, (x,), tensor([")
    assert "[[" not in operator[7], "beside a number the result has the shape of the other operand"


@pytest.mark.parametrize(
    ("loop", "text"), [("TRUTH", "x = True"), ("WIDE", "x = tensor(2.2, dtype=float64)")]
)
def test_other_kinds_of_numbers_stand_for_operands(loop: str, text: str, tmp_path: Path) -> None:
    made = cases(tmp_path, NUMBERS.replace("NUMBER in", f"{loop} in"), "only: [number]")
    assert text in made["sample.scaled[operator]"]


def test_integers_stand_beside_floats(tmp_path: Path) -> None:
    program = (
        "for INTEGER in ACCOMPANIED:\n    for DTYPE in FLOATS:\n        GIVEN_IN_DTYPE\n"
        "        assert (CALL).dtype == RESULT_DTYPE"
    )
    made = cases(tmp_path, program)["sample.scaled[operator]"]
    integers = [line for line in made if line.startswith("x = tensor([") and "." not in line]
    assert len(integers) == 2, "in both dtypes, and without one"
    assert sum("dtype=float64" in line for line in made) == 2


def test_integers_alone_stay_within_the_domain(tmp_path: Path) -> None:
    made = cases(tmp_path, "GIVEN\nassert CALL == VALUE", "operands: integers")
    assert made["sample.add"][0].startswith("x = tensor([[")
    assert "." not in made["sample.add"][0] + made["sample.add"][1]
    assert all("0" not in line for line in made["sample.sign"][:1]), "zero is to be avoided"
    assert "sample.amax" not in made, "other values than these cannot stand for it"


def test_the_dtype_is_told_where_no_integer_is_the_value(tmp_path: Path) -> None:
    program = "GIVEN\nassert CALL == VALUE\nassert (CALL).dtype == FLOATING"
    made = cases(tmp_path, program, "operands: integers")
    assert made["sample.exp[alone]"][-1] == "assert (exp(x)).dtype == tensor(0.5).dtype"
    assert "dtype" not in made["sample.add"][-1]


def test_each_operand_is_broadcast_by_itself(tmp_path: Path) -> None:
    program = "for STRETCHED in STRETCHABLE:\n    GIVEN\n    assert CALL == VALUE"
    made = cases(tmp_path, program)
    first = [line for line in made["sample.scaled[operator]"] if line.startswith("x = ")]
    second = [line for line in made["sample.scaled[operator]"] if line.startswith("y = ")]
    assert len(first) == len(second) == 3, "one element or row of y alone gives a smaller result"
    assert "[" not in first[0], "an element without dimensions"
    assert first[1].count("[") == 1, "a vector of one element"
    assert second[2].count("[") == 3, "a column"
    assert "sample.exp[alone]" not in made, "an operand alone is not broadcast"


def test_an_element_is_nan_where_the_gradient_is_nan_too(tmp_path: Path) -> None:
    program = "for UNKNOWN in DIFFERENTIABLE:\n    GIVEN\n    assert vjp(FUNCTION, INPUTS, COTANGENT) == GRADIENTS"
    made = cases(tmp_path, program)
    given, expected = made["sample.exp[alone]"]
    assert given.count("nan") == 1
    assert expected.count("nan") == 1
    assert "sample.add" not in made, "the gradient of a sum does not depend on its operands"


@pytest.mark.parametrize(
    ("name", "call"),
    [("sample.add", "add(x, y, out=target)"), ("sample.amax", "amax(x, 1, out=target)")],
)
def test_a_function_writes_into_a_tensor(name: str, call: str, tmp_path: Path) -> None:
    program = "GIVEN\ntarget = EMPTY_TARGET\nassert CALL_INTO_TARGET == VALUE"
    made = cases(tmp_path, program, "only: [takes out]")
    assert made[name][-1].startswith(f"assert {call} == ")
    assert "sample.scaled[operator]" not in made, "an operator takes no out="


def test_the_target_is_not_in_one_piece(tmp_path: Path) -> None:
    program = "GIVEN\ntarget = EMPTY_TARGET\nassert CALL_INTO_TARGET == VALUE"
    made = cases(tmp_path, program)
    assert made["sample.amax"][1] == "target = zeros((4,), dtype=float32)[..., 0::2]"
