"""Works out what an operation must give: its value, gradients, tangent and second derivatives.

All come from the two formulas of a form. The tangent is the gradient formula's transpose, taken one
output at a time. Second derivatives are derivatives of the gradient formula: by the complex step
where the formula has complex values (exact to rounding), else by central differences of order eight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .formulas import evaluate, slope, summed_to
from .operations import Form
from .samples import direction

Array = Any
COMPLEX_STEP = 1e-30
AGREEMENT = 1e-8
"""How near the complex step must come to the finite differences to be trusted; where a formula has
no derivative in the complex plane (abs, maximum of magnitudes) it is off by far more."""

ROUNDING = 1e-14
"""Second derivatives below this are what cancellation leaves of zero."""


@dataclass(frozen=True)
class Second:
    """Gradients of sum(h * gradient) by operand and by the cotangent."""

    directions: Mapping[str, Array]
    by_operand: Mapping[str, Array]
    by_cotangent: Array
    exact: bool


class Worked:
    """A form at its sampled operands. Raises what NumPy raises where a formula does not fit."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.inputs = {name: operand.values for name, operand in form.operands.items()}
        self.out = evaluate(form.value, self.inputs)
        self.g = direction(self.out.shape, 0)
        self.gradients = self.gradients_at(self.inputs, self.g)

    def gradients_at(self, inputs: Mapping[str, Array], g: Array) -> dict[str, Array]:
        """The gradient formulas at other values; each of its operand's shape."""
        values = {**inputs, "g": g, "out": evaluate(self.form.value, inputs)}
        return {
            name: summed_to(evaluate(formula, values), np.shape(inputs[name]))
            for name, formula in self.form.gradient.items()
        }

    def tangent(self, tangents: Mapping[str, Array]) -> Array:
        """The derivative of the result along `tangents`: one gradient for each output element."""
        result = np.zeros(self.out.size)
        for i in range(self.out.size):
            unit = np.zeros(self.out.size)
            unit[i] = 1.0
            rows = self.gradients_at(self.inputs, unit.reshape(self.out.shape))
            result[i] = sum(np.sum(row * tangents[name]) for name, row in rows.items())
        return result.reshape(self.out.shape)

    def tangents(self, seed: int) -> dict[str, Array]:
        """A direction for each differentiable operand."""
        names = self.form.gradient
        return {n: direction(np.shape(self.inputs[n]), seed + i) for i, n in enumerate(names)}

    def second(self) -> Second:
        """What a second backward pass must give, through sum(h * gradient)."""
        h = self.tangents(3)

        def scalar(name: str, moved: Array) -> Array:
            found = self.gradients_at({**self.inputs, name: moved}, self.g)
            return sum(np.sum(gradient * h[n]) for n, gradient in found.items())

        by_operand, exact = {}, True
        for name in self.form.gradient:
            by_operand[name], sharp = _derivative(partial(scalar, name), self.inputs[name])
            exact = exact and sharp
        return Second(h, by_operand, self.tangent(h), exact)


def _derivative(function: Callable[[Array], Array], x: Array) -> tuple[Array, bool]:
    """The gradient of a scalar function of one array, and whether it is exact to rounding."""
    way = direction(x.shape, 7) / 4
    expected = float(slope(partial(_moved, function, x, way)))
    try:
        found = np.zeros(x.size)
        for i in range(x.size):
            moved = x.astype(complex).ravel()
            moved[i] += 1j * COMPLEX_STEP
            found[i] = np.imag(function(moved.reshape(x.shape))) / COMPLEX_STEP
        if abs(float(np.sum(found.reshape(x.shape) * way)) - expected) <= AGREEMENT * max(
            1.0, abs(expected)
        ):
            found[np.abs(found) < ROUNDING] = 0.0
            return found.reshape(x.shape), True
    except (TypeError, ValueError):
        pass
    found = np.zeros(x.size)
    for i in range(x.size):
        unit = np.zeros(x.size)
        unit[i] = 1.0
        found[i] = float(slope(partial(_moved, function, x, unit.reshape(x.shape))))
    found[np.abs(found) < 1e-9] = 0.0
    return found.reshape(x.shape), not found.any()


def _moved(function: Callable[[Array], Array], x: Array, way: Array, step: float) -> Array:
    return function(x + step * way)


def jacobian_faults(form: Form) -> dict[str, float]:
    """How far each gradient formula is from finite differences of the value formula, relative to
    its largest element; those that agree are left out. For the specification checker."""
    worked = Worked(form)
    faults = {}
    for name, gradient in worked.gradients.items():
        x = worked.inputs[name]
        found = np.zeros(x.size)
        for i in range(x.size):
            unit = np.zeros(x.size)
            unit[i] = 1.0
            unit = unit.reshape(x.shape)

            def along(step: float, unit: Array = unit, name: str = name, x: Array = x) -> Array:
                return evaluate(form.value, {**worked.inputs, name: x + step * unit})

            found[i] = float(np.sum(slope(along) * worked.g))
        scale = max(1.0, float(np.max(np.abs(gradient), initial=0.0)))
        distance = float(np.max(np.abs(found.reshape(x.shape) - gradient), initial=0.0)) / scale
        if not distance <= AGREEMENT:
            faults[name] = distance
    return faults
