"""Works out what an operation must give: its value, gradients, tangent and second derivatives.

All come from the formulas of a form. The tangent is the derivative of the value formula, or the
transpose of the gradient formula. Second derivatives are those of the gradient formulas along a
direction: the matrix of second derivatives is symmetric. A form may leave out
gradient formulas: its derivatives are then those of the value formula. A derivative is taken by the
complex step where the formula has complex values (exact to rounding), else by central differences
of order eight, good to ten digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

from .formulas import COEFFICIENTS, QUIET, STEP, evaluate, slope, summed_to
from .operations import Form
from .samples import direction

Array = Any
COMPLEX_STEP = 1e-30
AGREEMENT = 1e-8
"""How near the complex step must come to the finite differences to be trusted; where a formula has
no derivative in the complex plane (abs, maximum of magnitudes) it is off by far more."""

FINE_STEP = 2.0**-10
"""The step of differences of what is exact to rounding: values, and gradients from formulas."""

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
    """A form at its sampled operands. Raises what NumPy raises where a formula does not fit.

    `exact` is false where a derivative of the value formula is only good to ten digits.
    """

    def __init__(self, form: Form) -> None:
        self.form = form
        self.inputs = {name: operand.values for name, operand in form.operands.items()}
        self.out = evaluate(form.value, self.inputs)
        self.g = cotangent_of(self.out, 0)
        self.derived = [name for name, formula in form.gradient.items() if not formula]
        self._sharp = True
        self._by_complex_step: frozenset[str] = frozenset()
        """Operands whose gradient the complex step gave at the samples: it does so near them too."""
        self._second: Second | None = None
        self.complex = any(map(np.iscomplexobj, (self.out, *self.inputs.values())))
        self.from_value = bool(self.derived) or self.complex
        """Whether tangents and second derivatives are those of the value formula."""
        self.gradients = self.gradients_at(self.inputs, self.g)
        self.exact = self._sharp
        if self.exact:
            self._by_complex_step = frozenset(self.derived)

    def gradients_at(self, inputs: Mapping[str, Array], g: Array) -> dict[str, Array]:
        """The gradients at other values; each of its operand's shape."""
        out = self.out if inputs is self.inputs else evaluate(self.form.value, inputs)
        values = {**inputs, "g": g, "out": out}
        return {
            name: summed_to(evaluate(formula, values), np.shape(inputs[name]))
            if formula
            else self._derived(name, inputs, g)
            for name, formula in self.form.gradient.items()
        }

    def _derived(self, name: str, inputs: Mapping[str, Array], g: Array) -> Array:
        """The gradient by one operand of Re(sum(conj(g) * value)), from the value formula alone."""

        def scalar(moved: Array) -> Array:
            return _paired(g, evaluate(self.form.value, {**inputs, name: moved}))

        if np.iscomplexobj(inputs[name]):
            self._sharp = False
            return _complex_derivative(scalar, inputs[name])
        if name in self._by_complex_step:
            return _by_complex_step(scalar, inputs[name])
        found, exact = _derivative(scalar, inputs[name])
        self._sharp = self._sharp and exact
        return found

    def derived_gradient(self, name: str) -> Array:
        """The gradient by one operand from the value formula alone, whether or not it has one of
        its own."""
        return self._derived(name, self.inputs, self.g)

    def tangent(self, tangents: Mapping[str, Array]) -> Array:
        """The derivative of the result along `tangents`: of the value formula if it has complex
        values, else by one gradient for each output element."""
        if self.from_value:
            return self._along(tangents)
        found = self._complex_step(lambda step: [self._value_at(tangents, step)])
        if found is not None:
            return found[0]
        result = np.zeros(self.out.size)
        for i in range(self.out.size):
            unit = np.zeros(self.out.size)
            unit[i] = 1.0
            rows = self.gradients_at(self.inputs, unit.reshape(self.out.shape))
            result[i] = sum(np.sum(row * tangents[name]) for name, row in rows.items())
        return result.reshape(self.out.shape)

    def _value_at(self, tangents: Mapping[str, Array], step: complex) -> Array:
        return evaluate(self.form.value, self._moved(tangents, step))

    @staticmethod
    def _complex_step(function: Callable[[complex], list[Array]]) -> list[Array] | None:
        """The derivatives of arrays along a step, exact to rounding; None where they have none in
        the complex plane."""
        try:
            found = [np.imag(value) / COMPLEX_STEP for value in function(1j * COMPLEX_STEP)]
        except (TypeError, ValueError):
            return None
        steps = {k * STEP: function(k * STEP) for k, _ in COEFFICIENTS}
        steps |= {-k * STEP: function(-k * STEP) for k, _ in COEFFICIENTS}
        for i, exact in enumerate(found):
            with np.errstate(invalid="ignore"):
                near = slope(lambda step, i=i: steps[step][i])  # type: ignore[misc]
            scale = max(1.0, float(np.max(np.abs(near), initial=0.0)))
            if not np.max(np.abs(exact - near), initial=0.0) <= AGREEMENT * scale:
                return None
        return [np.where(np.abs(exact) < ROUNDING, 0.0, exact) for exact in found]

    def _along(self, tangents: Mapping[str, Array]) -> Array:
        value = partial(self._value_at, tangents)
        if self.exact and not self.complex:
            return np.imag(value(1j * COMPLEX_STEP)) / COMPLEX_STEP
        return slope(value, FINE_STEP)

    def _moved(self, tangents: Mapping[str, Array], step: complex) -> dict[str, Array]:
        """The operands a step further along the tangents."""
        moved = {name: self.inputs[name] + step * tangent for name, tangent in tangents.items()}
        return {**self.inputs, **moved}

    def tangents(self, seed: int) -> dict[str, Array]:
        """A direction for each differentiable operand."""
        names = self.form.gradient
        return {n: cotangent_of(self.inputs[n], seed + i) for i, n in enumerate(names)}

    def second(self) -> Second:
        """What a second backward pass must give, through sum(h * gradient)."""
        if self._second is None:
            self._second = self._computed_second()
        return self._second

    def _computed_second(self) -> Second:
        h = self.tangents(3)
        self._sharp = self.exact
        if self.from_value:
            return self._second_of_value(h)
        names = list(self.form.gradient)
        found = self._complex_step(
            lambda step: list(self.gradients_at(self._moved(h, step), self.g).values())
        )
        if found is not None:
            return Second(h, dict(zip(names, found, strict=True)), self.tangent(h), True)

        def scalar(name: str, moved: Array) -> Array:
            found = self.gradients_at({**self.inputs, name: moved}, self.g)
            return sum(np.sum(gradient * h[n]) for n, gradient in found.items())

        by_operand, exact = {}, True
        for name in self.form.gradient:
            by_operand[name], sharp = _derivative(partial(scalar, name), self.inputs[name])
            exact = exact and sharp
        return Second(h, by_operand, self.tangent(h), exact)

    def _second_of_value(self, h: Mapping[str, Array]) -> Second:
        """The matrix of second derivatives is symmetric, so its product with `h` is the derivative
        of the gradients along `h`."""
        width = STEP
        if self.exact:  # exact gradients can be compared nearer together
            furthest = max(float(np.max(np.abs(way), initial=0.5)) for way in h.values())
            width /= 2.0 ** np.ceil(np.log2(2 * furthest))
        at = {
            step: self.gradients_at(self._moved(h, step), self.g)
            for k in range(1, len(COEFFICIENTS) + 1)
            for step in (k * width, -k * width)
        }
        by_operand = {}
        for name in h:
            found = slope(lambda step, name=name: at[step][name], width)  # type: ignore[misc]
            by_operand[name] = np.where(np.abs(found) < 1e-9, 0.0, found)
        linear = not any(found.any() for found in by_operand.values())
        return Second(h, by_operand, self.tangent(h), linear and self._sharp)


@lru_cache(maxsize=1024)
def worked_at(form: Form) -> Worked:
    """A form at its samples; kept for the laws, which are made after the form's own cases."""
    return Worked(form)


def cotangent_of(value: Array, seed: int) -> Array:
    """A direction of the shape and kind of `value`."""
    real = direction(np.shape(value), seed)
    return real + 1j * direction(np.shape(value), seed + 5) if np.iscomplexobj(value) else real


def _paired(g: Array, value: Array) -> Array:
    """The scalar whose gradient is meant, for a gradient `g` of `value`."""
    if np.iscomplexobj(g):
        return np.sum(np.real(np.conj(g) * value))
    return np.sum(g * value)


def _complex_derivative(function: Callable[[Array], Array], x: Array) -> Array:
    """The derivative by the real part, and i times the one by the imaginary part."""
    found = np.zeros(x.size, complex)
    for i in range(x.size):
        for factor in (1.0, 1j):
            way = np.zeros(x.size, complex)
            way[i] = factor
            moved = partial(_moved, function, x, way.reshape(x.shape))
            found[i] += factor * float(np.real(slope(moved, FINE_STEP)))
    found.real[np.abs(found.real) < 1e-9] = 0.0
    found.imag[np.abs(found.imag) < 1e-9] = 0.0
    return found.reshape(x.shape)


def _derivative(function: Callable[[Array], Array], x: Array) -> tuple[Array, bool]:
    """The gradient of a scalar function of one array, and whether it is exact to rounding."""
    if np.iscomplexobj(x):
        raise TypeError("a derivative along a real direction, found a complex operand")
    way = direction(x.shape, 7) / 4
    expected = float(slope(partial(_moved, function, x, way)))
    try:
        found = _by_complex_step(function, x)
        if abs(float(np.sum(found * way)) - expected) <= AGREEMENT * max(1.0, abs(expected)):
            return found, True
    except (TypeError, ValueError):
        pass
    found = np.zeros(x.size)
    for i in range(x.size):
        unit = np.zeros(x.size)
        unit[i] = 1.0
        found[i] = float(slope(partial(_moved, function, x, unit.reshape(x.shape))))
    found[np.abs(found) < 1e-9] = 0.0
    return found.reshape(x.shape), not found.any()


def _by_complex_step(function: Callable[[Array], Array], x: Array) -> Array:
    """The gradient of a scalar function that has complex values, exact to rounding."""
    found = np.zeros(x.size)
    for i in range(x.size):
        moved = x.astype(complex).ravel()
        moved[i] += 1j * COMPLEX_STEP
        found[i] = np.imag(function(moved.reshape(x.shape))) / COMPLEX_STEP
    found[np.abs(found) < ROUNDING] = 0.0
    return found.reshape(x.shape)


def _moved(function: Callable[[Array], Array], x: Array, way: Array, step: float) -> Array:
    return function(x + step * way)


@QUIET
def jacobian_faults(form: Form) -> dict[str, float]:
    """How far each gradient formula is from the derivative of the value formula, relative to its
    largest element; those that agree are left out. For the specification checker."""
    worked = Worked(form)
    faults = {}
    for name, gradient in worked.gradients.items():
        if name in worked.derived:
            continue
        found = worked.derived_gradient(name)
        scale = max(1.0, float(np.max(np.abs(gradient), initial=0.0)))
        distance = float(np.max(np.abs(found - gradient), initial=0.0)) / scale
        if not distance <= AGREEMENT:
            faults[name] = distance
    return faults
