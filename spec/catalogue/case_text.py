"""The parts of generated programs, as text: operands, the function, its vector-Jacobian product."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .samples import literal_of
from .worked import Worked

Programs = Iterator[tuple[str, str, float, str]]
"""A case's name, its program, its tolerance in epsilons, and why that."""

DOUBLE = {"f": "float64", "c": "complex128"}


def given(worked: Worked, double: bool = False, transposed: bool = False) -> str:
    """The operands, one line each; with `transposed`, those of two dimensions are laid out in
    memory the other way round."""
    lines = []
    for name, value in worked.inputs.items():
        differentiable = name in worked.form.gradient
        if transposed and differentiable and value.ndim == 2:
            lines.append(f"{name} = transpose({tensor_text(value.T)}, 0, 1)")
        else:
            lines.append(f"{name} = {tensor_text(value, double)}")
    return "\n".join(lines) + "\n"


def tensor_text(value: Any, double: bool = False) -> str:
    kind = np.asarray(value).dtype.kind
    floating = kind in "fc"
    dtype = f", dtype={DOUBLE[kind]}" if double and floating else ""
    if np.size(value) == 0 and floating:
        return f"zeros({np.shape(value)}{dtype})"
    return f"tensor({literal_of(value)}{dtype})"


def function_text(worked: Worked) -> str:
    return f"lambda {', '.join(worked.form.gradient)}: {worked.form.call}"


def names_text(worked: Worked) -> str:
    return f"({', '.join(worked.form.gradient)},)"


def vjp_text(worked: Worked, double: bool = False) -> str:
    return f"vjp({function_text(worked)}, {names_text(worked)}, {tensor_text(worked.g, double)})"


def tuple_text(values: Mapping[str, Any]) -> str:
    return f"({', '.join(literal_of(value) for value in values.values())},)"


def gradient_text(worked: Worked, double: bool = False) -> str:
    """The assertions of the gradients: one, or one for each operand where a gradient has no
    elements, whose shape a literal would not show."""
    found, gradients = vjp_text(worked, double), worked.gradients
    if all(value.size or value.ndim == 1 for value in gradients.values()):
        return f"assert {found} == {tuple_text(gradients)}"
    return "\n".join(
        f"assert {found}[{i}]{f' == {literal_of(value)}' if value.size else shape_text(value)}"
        for i, value in enumerate(gradients.values())
    )


def shape_text(value: Any) -> str:
    """The end of an assertion about a shape alone."""
    return f".shape == {np.shape(value)}"
