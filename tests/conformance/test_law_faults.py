"""Mistakes that laws exist for: how arrays are misread, which laws are meant, exemptions without need."""

from __future__ import annotations

import shutil
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gradspec.conformance.checking.adequacy import call_faults, switches
from gradspec.conformance.checking.adequacy.layout_faults import MISREADINGS
from gradspec.conformance.checking.adequacy.node_faults import REFUSED_NOTHING, UNCHECKED
from gradspec.conformance.checking.adequacy.operation_faults import (
    MEANT,
    OperationFindings,
    run_operation_faults,
)
from gradspec.conformance.checking.exemptions import needless_exemptions
from gradspec.spec.load import load_spec
from gradspec.spec.reading.folder import ROOT

ROWS = np.arange(6.0).reshape(2, 3)
EXPANDED = np.broadcast_to(np.array([[1.0], [2.0]]), (2, 3))


@pytest.mark.parametrize(
    ("layout", "array", "read"),
    [
        ("transposed", ROWS.T, [[0, 1], [2, 3], [4, 5]]),
        ("transposed", ROWS, None),
        ("transposed", EXPANDED, None),
        ("stepped", np.arange(6.0)[::2], [0, 1, 2]),
        ("stepped", np.arange(6.0)[1::2], [1, 2, 3]),
        ("stepped", np.arange(6.0)[::-1], None),
        ("expanded", EXPANDED, [[1, 2, 0], [0, 0, 0]]),
        ("expanded", ROWS.T, None),
        ("expanded", np.broadcast_to(np.zeros(1), (4,)), None),
    ],
)
def test_arrays_are_misread_where_they_do_not_lie_in_rows(
    layout: str, array: Any, read: Any
) -> None:
    found = MISREADINGS[layout](array)
    assert (found if found is None else found.tolist()) == read


def test_the_laws_that_are_meant_exist() -> None:
    known = {behavior.id for behavior in load_spec().behaviors}
    assert {law for laws in MEANT.values() for law in laws} <= known


@pytest.mark.parametrize(
    ("numbers", "rounds"),
    [([0.1, 0.2], True), ([0.5, 0.25], False), ([1.0, 1e-17], False), ([float("inf"), 0.1], True)],
)
def test_noise_beside_large_elements_is_not_rounded(numbers: list[float], rounds: bool) -> None:
    kernel = switches.switched("sample(x)", lambda x: x, {})[0]
    switches.used.clear()
    kernel(np.array(numbers))
    assert (("sample", "value, rounded to float32") in switches.used) is rounds


def test_a_look_at_a_mistake_goes_through_no_other_switch() -> None:
    """What a rule would give for other arguments is computed, but no case sees it."""
    inner = switches.switched("inner(x)", lambda x: x + 1, {})[0]
    outer = switches.switched("outer(x)", lambda x: inner(x) if x[0, 1] < x[1, 0] else x, {})[0]
    switches.used.clear()
    outer(np.array([[0.0, 1.0], [2.0, 3.0]]).T)
    assert ("outer", "value, transposed operands misread") in switches.used
    assert {name for name, _ in switches.used} == {"outer"}


@lru_cache
def faults_of(operation: str) -> OperationFindings:
    return run_operation_faults(load_spec(), select=operation)


@pytest.mark.parametrize(
    ("operation", "mistake"),
    [
        ("unary.tanh", "gradient, transposed gradient of the result misread"),
        ("unary.tanh", "gradient, zeros in float16"),
        ("binary.hypot", "gradient, none unless every operand requires grad"),
        ("binary.hypot", "gradient, expanded operands misread"),
        ("activation.softmax", "gradient, overwrites the one that is there"),
        ("linalg.mm", "value, zeros after full blocks"),
        ("activation.softsign", UNCHECKED),
        ("unary.nan-to-num", UNCHECKED),
        ("loss.kl-div", REFUSED_NOTHING),
        ("activation.relu", "gradient, what was saved overwritten"),
        ("complex.real", "value, float32 for float64"),
        ("binary.heaviside", "value, float64 for float32"),
        ("activation.dropout", "value, operands overwritten"),
        ("joining.block-diag", "gradient, zeros after full vectors"),
        ("unary.tanh", "value, given out again"),
        ("unary.tanh", "gradient, large gradients of the result cut off"),
        ("unary.tanh", switches.ON_THE_CPU),
        ("unary.tanh", call_faults.INTEGERS_WIDEN),
        ("unary.tanh", call_faults.OUT_IN_ROWS),
        ("unary.tanh", call_faults.OUT_RECORDED),
        ("unary.tanh", call_faults.WITHIN_A_PASS),
        ("binary.mul", call_faults.INTEGERS_CUT),
        ("binary.mul", call_faults.NUMBER_WIDENS),
        ("binary.mul", call_faults.NUMBER_ROUNDED),
    ],
)
def test_reported_mistakes_are_made_and_noticed(operation: str, mistake: str) -> None:
    made, noticed = faults_of(operation).kinds[mistake]
    assert made == noticed > 0


LAWS = """\
title: Laws
introduction: Laws for a test.
laws:
  - id: laws.value
    statement: It MUST be so.
    level: implied
    program: |
      GIVEN
      assert CALL == VALUE
  - id: laws.wrong
    statement: It MUST be wrong.
    level: implied
    program: |
      GIVEN
      assert CALL + 1.0 == VALUE
exemptions:
  - operations: [sample.exp]
    laws: [laws.value, laws.wrong]
    why: a reason
  - operations: ["sample.exp[other]"]
    laws: [laws.value]
    why: a reason
    reference: passes
"""
OPERATION = """\
title: Sample
introduction: An operation for a test.
operations:
  - id: sample.exp
    gives: the exponential
    documented: torch.exp
    operands: {x: {shape: [2]}}
    call: exp(x)
    value: exp(x)
    gradient: {x: g * out}
"""


def test_an_exemption_that_the_reference_does_not_need(tmp_path: Path) -> None:
    for name in ("vocabulary", "features", "errors", "sources", "retired"):
        shutil.copy(ROOT / f"{name}.yaml", tmp_path)
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "sample.yaml").write_text(OPERATION, "utf-8")
    (tmp_path / "laws.yaml").write_text(LAWS, "utf-8")
    (problem,) = needless_exemptions(load_spec(tmp_path), tmp_path)
    assert problem.message == "laws.value holds for sample.exp on the reference"
