"""Laws: from a law and an entry to cases, in every layout and dtype, with exemptions."""

from __future__ import annotations

from pathlib import Path

import pytest
from folders import load_folder, make_folder, problems_of
from gradspec.spec.checking.check import check_spec
from gradspec.spec.model import Case, Spec

OPERATIONS = """\
title: Sample
introduction: Operations for a test.
operations:
  - id: sample.add
    gives: the sum
    documented: torch.add
    operands: {x: {shape: [2, 3]}, y: {shape: [2, 3]}}
    call: add(x, y)
    in_place: x.add_(y)
    value: x + y
    gradient: {x: g, y: g}
    saves: []
  - id: sample.exp
    gives: the exponential
    documented: torch.exp
    operands: {x: {shape: [2, 3]}}
    value: exp(x)
    gradient: {x: g * out}
    saves: [out]
    forms:
      alone: {call: exp(x)}
      once more: {call: "exp(x + 0.0)"}
  - id: sample.amax
    gives: the largest element of each row
    documented: torch.amax
    operands: {x: {values: [[1.5, -0.75, 2.25], [0.5, 3.0, -1.25]]}}
    call: amax(x, 1)
    value: max(x, axis=1)
    gradient: {x: "spread(g, 1, x.shape) * (x == spread(out, 1, x.shape))"}
  - id: sample.sign
    gives: the sign
    documented: torch.sign
    operands: {x: {shape: [2], avoid: [0]}}
    call: sign(x)
    value: sign(x)
    derivative: none
"""
LAW = """\
title: Laws
introduction: Laws for a test.
laws:
  - id: laws.sample
    statement: It MUST be so.
    level: implied
"""


def laws_of(
    root: Path, program: str, more: str = "", exemptions: str = "", operations: str = OPERATIONS
) -> Spec:
    """A specification of the operations and one law."""
    fields = "".join(f"    {line}\n" for line in more.splitlines())
    lines = "".join(f"      {line}\n" for line in program.splitlines())
    text = LAW + fields + "    program: |\n" + lines + exemptions
    made = make_folder(root, {"laws.yaml": text})
    (made / "ops").mkdir()
    (made / "ops" / "sample.yaml").write_text(operations)
    return load_folder(made)


def cases_of(spec: Spec) -> dict[str, Case]:
    """The cases of the law, by what they are about."""
    return {case.name: case for case in spec.cases if case.behavior.chapter == "laws"}


def lines(case: Case) -> list[str]:
    return str(case.text).splitlines()


def test_each_form_has_a_case(tmp_path: Path) -> None:
    cases = cases_of(laws_of(tmp_path / "spec", "GIVEN\nassert CALL == VALUE"))
    assert list(cases) == [
        "sample.add", "sample.exp[alone]", "sample.exp[once-more]", "sample.amax", "sample.sign",
    ]  # fmt: skip
    assert cases["sample.amax"].id == "laws.sample/sample.amax"
    assert lines(cases["sample.amax"]) == [
        "x = tensor([[1.5, -0.75, 2.25], [0.5, 3.0, -1.25]])",
        "assert amax(x, 1) == [2.25, 3.0]",
    ]


def test_one_form_stands_for_all(tmp_path: Path) -> None:
    cases = cases_of(laws_of(tmp_path / "spec", "GIVEN\nassert CALL == VALUE", "forms: first"))
    assert "sample.exp[alone]" in cases
    assert "sample.exp[once-more]" not in cases


def test_another_form_asks_for_a_law_of_one_form(tmp_path: Path) -> None:
    program = "GIVEN\nassert CALL == VALUE"
    asked = OPERATIONS.replace('"exp(x + 0.0)"}', '"exp(x + 0.0)", laws: [laws.sample]}')
    spec = laws_of(tmp_path / "spec", program, "forms: first", operations=asked)
    assert {"sample.exp[alone]", "sample.exp[once-more]"} <= set(cases_of(spec))


def test_a_form_asks_for_laws_that_there_are(tmp_path: Path) -> None:
    root = tmp_path / "spec"
    law = LAW + "    program: |\n      GIVEN\n      assert CALL == VALUE\n"
    make_folder(root, {"laws.yaml": law})
    (root / "ops").mkdir()
    asked = OPERATIONS.replace('"exp(x + 0.0)"}', '"exp(x + 0.0)", laws: [laws.simple]}')
    (root / "ops" / "sample.yaml").write_text(asked)
    (problem,) = problems_of(root)
    assert problem.message == "no law is called 'laws.simple'"
    assert "laws.sample" in problem.hint
    assert Path(problem.place.file).name == "sample.yaml"


def test_results_of_every_kind_have_the_documented_dtype(tmp_path: Path) -> None:
    program = "for DTYPE in FLOATS:\n    GIVEN_IN_DTYPE\n    assert (CALL).dtype == RESULT_DTYPE"
    more = """\
  - id: sample.real
    gives: the real parts
    documented: torch.real
    operands: {x: {shape: [2], complex: true}}
    call: real(x)
    value: real(x)
    gradient: {x: g + 0j}
  - id: sample.eq
    gives: where both are equal
    documented: torch.eq
    operands: {x: {shape: [2]}, y: {shape: [2]}}
    call: (x == y).to(float32)
    value: 1.0 * (x == y)
    derivative: none
"""
    cases = cases_of(laws_of(tmp_path / "spec", program, operations=OPERATIONS + more))
    assert "sample.eq" not in cases, "the call converts the result"
    assert "assert (sign(x)).dtype == float64" in lines(cases["sample.sign"])
    made, result, *_ = lines(cases["sample.real"])
    assert made.endswith("dtype=complex64)")
    assert result == "assert (real(x)).dtype == float32"


def test_lines_about_gradients_need_a_derivative(tmp_path: Path) -> None:
    program = "GIVEN\nassert CALL == VALUE\nassert vjp(FUNCTION, INPUTS, COTANGENT) == GRADIENTS"
    cases = cases_of(laws_of(tmp_path / "spec", program))
    assert len(lines(cases["sample.sign"])) == 2
    assert lines(cases["sample.exp[alone]"])[-1].startswith(
        "assert vjp(lambda x: exp(x), (x,), tensor("
    )


def test_a_loop_is_written_out_for_each_operand(tmp_path: Path) -> None:
    program = (
        "GIVEN\nfor OPERAND in ACCOMPANIED:\n"
        "    assert vjp(ALONE, (OPERAND,), COTANGENT) == (GRADIENT,)"
    )
    cases = cases_of(laws_of(tmp_path / "spec", program))
    assert list(cases) == ["sample.add"], "the others have one operand"
    assert [line[:33] for line in lines(cases["sample.add"])[2:]] == [
        "assert vjp(lambda x: add(x, y), (", "assert vjp(lambda y: add(x, y), (",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("layout", "made"),
    [
        ("transposed", "tensor([[1.5, 0.5], [-0.75, 3.0], [2.25, -1.25]]).permute(1, 0)"),
        ("stepped", "[..., 1::2]"),
        ("within a buffer", "[1:3, 1:4]"),
        ("filled", "broadcast_to(tensor(1.5), (2, 3))"),
    ],
)
def test_operands_lie_as_a_law_says(layout: str, made: str, tmp_path: Path) -> None:
    more = f"operands: {layout}"
    cases = cases_of(laws_of(tmp_path / "spec", "GIVEN\nassert CALL == VALUE", more))
    if layout == "filled":  # the maximum has no derivative where all are equal
        assert "sample.amax" not in cases
    else:
        assert lines(cases["sample.amax"])[0].endswith(made)
    if layout == "transposed":
        assert "sample.sign" not in cases, "one dimension cannot be transposed"


def test_expanded_operands_have_the_values_that_they_repeat(tmp_path: Path) -> None:
    program = "GIVEN\nassert CALL == VALUE"
    cases = cases_of(laws_of(tmp_path / "spec", program, "operands: expanded"))
    given, asserted = lines(cases["sample.exp[alone]"])
    assert given.startswith("x = broadcast_to(tensor([[")
    rows = asserted.partition("== [")[2].rstrip("]").split("], ")
    assert rows[0].strip("[]") == rows[1].strip("[]")


def test_values_are_those_that_the_dtype_holds(tmp_path: Path) -> None:
    cases = cases_of(laws_of(tmp_path / "spec", "GIVEN\nassert CALL == VALUE", "dtype: float16"))
    assert lines(cases["sample.amax"])[0].endswith(", dtype=float16)")


@pytest.mark.parametrize(
    ("condition", "about"),
    [
        ("saves something", {"sample.exp[alone]", "sample.exp[once-more]"}),
        ("saves the result", {"sample.exp[alone]", "sample.exp[once-more]"}),
        ("same operands", {"sample.add"}),
    ],
)
def test_conditions_choose_forms(condition: str, about: set[str], tmp_path: Path) -> None:
    program = "GIVEN\nassert CALL == VALUE"
    assert set(cases_of(laws_of(tmp_path / "spec", program, f"only: [{condition}]"))) == about


def test_an_operand_that_is_not_saved(tmp_path: Path) -> None:
    program = (
        "for OPERAND in UNSAVED:\n    COPIES\n    result = CALL\n    OPERAND.zero_()\n"
        "    result.backward(COTANGENT)\n    assert COPIED_GRADS == GRADIENTS"
    )
    cases = cases_of(laws_of(tmp_path / "spec", program))
    assert set(cases) == {"sample.add", "sample.exp[alone]", "sample.exp[once-more]"}
    assert lines(cases["sample.add"]).count("x.zero_()") == 1
    assert lines(cases["sample.add"]).count("y.zero_()") == 1


def test_slices_are_found_by_the_formulas(tmp_path: Path) -> None:
    program = (
        "for COUNT in SIZES:\n    SLICED_GIVEN\n    assert amin(SLICED_RESULT, RESULT_DIM) == VALUE"
    )
    cases = cases_of(laws_of(tmp_path / "spec", program, "only: [slices]"))
    first, second = lines(cases["sample.amax"])[:2]
    assert first.endswith("tile(tensor([[1.5, -0.75, 2.25], [0.5, 3.0, -1.25]]), (17, 1,))")
    assert second == "assert amin(reshape(amax(x, 1), (17, 2,)), 0) == [2.25, 3.0]"


def test_exempt_operations_and_forms_have_no_case(tmp_path: Path) -> None:
    exemptions = (
        "exemptions:\n  - operations: [sample.add, 'sample.exp[once-more]']\n"
        "    laws: [laws.sample]\n    why: a reason\n"
    )
    program = "GIVEN\nassert CALL == VALUE"
    spec = laws_of(tmp_path / "spec", program, exemptions=exemptions)
    assert list(cases_of(spec)) == ["sample.exp[alone]", "sample.amax", "sample.sign"]


def test_an_exemption_names_what_there_is(tmp_path: Path) -> None:
    exemptions = (
        "exemptions:\n  - operations: [sample.ad, 'sample.exp[alone]']\n"
        "    laws: [laws.sample]\n    why: a reason\n"
    )
    root = tmp_path / "spec"
    spec = laws_of(root, "GIVEN\nassert CALL == VALUE", exemptions=exemptions)
    (problem,) = (p for p in check_spec(spec, root) if "is called" in p.message)
    assert problem.message == "no operation, and no form of one, is called 'sample.ad'"
    assert "sample.add" in problem.hint
    assert (Path(problem.place.file).name, problem.place.line) == ("laws.yaml", 11)


def test_a_law_about_some_operations(tmp_path: Path) -> None:
    program = "GIVEN\nassert CALL == VALUE"
    spec = laws_of(tmp_path / "spec", program, more="operations: [sample.exp]")
    assert {case.id.partition("[")[0] for case in spec.cases if case.id.startswith("laws.")} == {
        "laws.sample/sample.exp"
    }


def test_a_law_names_operations_that_there_are(tmp_path: Path) -> None:
    root = tmp_path / "spec"
    spec = laws_of(root, "GIVEN\nassert CALL == VALUE", more="operations: [sample.ad]")
    (problem,) = (p for p in check_spec(spec, root) if "is called" in p.message)
    assert problem.message == "no operation, and no form of one, is called 'sample.ad'"


def test_complex_operands(tmp_path: Path) -> None:
    program = "for COMPLEX in COMPLEXES:\n    GIVEN\n    assert vjp(FUNCTION, INPUTS, COTANGENT) == GRADIENTS"
    operations = "elementwise: true\n" + OPERATIONS
    spec = laws_of(tmp_path / "spec", program, "operations: [sample.add]", operations=operations)
    (case,) = (case for case in spec.cases if case.id.startswith("laws."))
    given = [line for line in case.text.splitlines() if line.startswith(("x =", "y ="))]
    assert ["j" in line for line in given] == [True, True, True, False, False, True]


def test_a_law_that_is_no_program_is_reported_at_the_law(tmp_path: Path) -> None:
    root = make_folder(
        tmp_path / "spec", {"laws.yaml": LAW + "    program: assert tensr == VALUE\n"}
    )
    (root / "ops").mkdir()
    (root / "ops" / "sample.yaml").write_text(OPERATIONS)
    (problem,) = problems_of(root)
    assert "in the program of laws.sample for sample.add" in problem.message
    assert (Path(problem.place.file).name, problem.place.line) == ("laws.yaml", 4)
