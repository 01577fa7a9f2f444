"""gradcheck, gradgradcheck and forward mode over the catalogue of operations, on the reference.

The suite holds operations against formulas; here each is held against its own finite differences, as
PyTorch's users would do it: in its first form that has any, and in place.
"""

from __future__ import annotations

import math
from typing import Any

import gradspec.reference_impl as torch
import numpy as np
import pytest
from gradspec.spec.catalogue.operations import Form, Operation, catalogue

NUMBERS = {"inf": math.inf, "nan": math.nan, "pi": math.pi}
THROUGH_SINGLE = ("unary.to-another-dtype", "binary.dtypes-promote")
"""Operations that pass through single precision, in which small differences are lost."""


def has_finite_differences(operation: Operation, form: Form) -> bool:
    """Whether differences of the form's values tell its derivative."""
    finite = all(np.isfinite(form.operands[name].values).all() for name in form.gradient)
    return finite and form.derivative == "formula" and operation.id not in THROUGH_SINGLE


FORMS = [
    pytest.param(form, id=f"{operation.id}/{form.label or 'call'}")
    for operation in catalogue()
    for forms in [[form for form in operation.forms if has_finite_differences(operation, form)]]
    for i, form in enumerate(forms)
    if i == 0 or not form.call
]


def called(form: Form) -> tuple[Any, list[Any]]:
    """The call as a function of the differentiable operands, and these in double precision."""
    words = {name: getattr(torch, name) for name in dir(torch)} | NUMBERS
    constants = {
        name: torch.tensor(operand.values)
        for name, operand in form.operands.items()
        if name not in form.gradient
    }

    def function(*inputs: Any) -> Any:
        given = {**words, **constants, **dict(zip(form.gradient, inputs, strict=True))}
        if form.call:
            return eval(form.call, given)
        given["x"] = given["x"].clone()  # a statement that writes into it
        exec(form.in_place, given)
        return given["x"]

    inputs = []
    for name in form.gradient:
        values = form.operands[name].values
        dtype = torch.complex128 if np.iscomplexobj(values) else torch.float64
        inputs.append(torch.tensor(values, dtype=dtype, requires_grad=True))
    return function, inputs


@pytest.mark.filterwarnings("ignore::UserWarning")  # of old names and choices
@pytest.mark.parametrize("form", FORMS)
def test_first_and_second_order_and_forward_mode(form: Form) -> None:
    function, inputs = called(form)
    assert torch.autograd.gradcheck(function, inputs, check_forward_ad=True)
    assert torch.autograd.gradgradcheck(function, inputs, atol=1e-4)
