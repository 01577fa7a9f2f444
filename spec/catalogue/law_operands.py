"""The operands of a law's program: a form at values that lie in memory as the law says."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .formulas import evaluate
from .laws import ONE_TENSOR, Law
from .layouts import LAYOUTS, LaidOut, plain
from .operations import Form, Operation
from .samples import CLEARANCE, direction
from .slices import Slices
from .worked import Worked

Array = Any
NEARBY = 1e-6


class NotApplicable(Exception):
    """The law says nothing about this form."""


class NoSuchLayout(NotApplicable):
    """The tensors cannot lie in a layout, so that the loop leaves it out."""


class NoDerivative(NotApplicable):
    """The form has no derivative, so that the line which asks for one is left out."""


@dataclass(frozen=True)
class Laid:
    """A form at its samples, with how each operand and the cotangent lie in memory. Operands in `fixed`
    are made by their texts whatever the dtype of the others is; `along` says how the form is repeated, if
    the law chooses that."""

    operation: Operation
    worked: Worked
    texts: Mapping[str, str]
    g: Array
    g_text: str
    gradients: Mapping[str, Array]
    fixed: frozenset[str] = frozenset()
    along: Slices | None = None

    @property
    def form(self) -> Form:
        return self.worked.form

    @property
    def differentiable(self) -> list[str]:
        return list(self.form.gradient)


def values_of(form: Form) -> dict[str, Array]:
    return {name: operand.values for name, operand in form.operands.items()}


def laid_out(law: Law, operation: Operation, sampled: Worked) -> Laid:
    """The form at operands that lie as the law says, in its dtype. Raises `NotApplicable`."""
    form = sampled.form
    values = _scaled(form, law.scale) if law.scale != 1.0 else values_of(form)
    values = {name: _rounded(array, law.dtype) for name, array in values.items()}
    kinds = {array.dtype.kind for array in values.values()} & {"f", "c"}
    if law.dtype and not (kinds == {"f"} or (kinds and law.dtype == "float64")):
        raise NotApplicable
    if law.operands == ONE_TENSOR:
        values |= dict.fromkeys(form.gradient, values[next(iter(form.gradient))])
    texts, changed = {}, False
    for name, array in values.items():
        dtype = _dtype_of(law, array)
        laid = _layout(law.operands, form, name, array, dtype)
        changed = changed or laid is not None
        laid = laid or plain(array, dtype)
        assert laid is not None
        texts[name], values[name] = laid
    if not changed:
        raise NotApplicable
    worked = _at(sampled, values, together=law.operands == ONE_TENSOR)
    if law.dtype == "float16" and not all(map(_in_half, (worked.out, *worked.gradients.values()))):
        raise NotApplicable
    g, g_text = _laid_cotangent(law, worked)
    same = np.array_equal(g, worked.g)
    gradients = worked.gradients if same else worked.gradients_at(worked.inputs, g)
    return Laid(operation, worked, texts, g, g_text, gradients)


def _scaled(form: Form, scale: float) -> dict[str, Array]:
    """The samples times a number, where an operand allows that. Raises `NotApplicable` if none does."""
    scaled = {
        name: scale * operand.values for name, operand in form.operands.items()
        if operand.sampled and operand.values.dtype.kind == "f"
        and (
            operand.low == -operand.high  # only a range to draw from, as for most operations
            or np.all((operand.low <= scale * operand.values) & (scale * operand.values <= operand.high))
        )
        and all(np.all(np.abs(scale * operand.values - kink) >= CLEARANCE) for kink in operand.avoid if kink)
    }  # fmt: skip
    if not scaled:
        raise NotApplicable
    return {**values_of(form), **scaled}


def _layout(layout: str, form: Form, name: str, array: Array, dtype: str) -> LaidOut | None:
    if layout.startswith("expanded") and not (
        form.operands[name].sampled and name in form.gradient
    ):
        return None
    return LAYOUTS.get(layout, plain)(array, dtype)


def _at(sampled: Worked, values: Mapping[str, Array], together: bool) -> Worked:
    """The form at other values. Raises `NotApplicable` where it has no derivative there."""
    if all(np.array_equal(values[name], sampled.inputs[name]) for name in values):
        return sampled
    return worked_anew(sampled, values, together=together)


def worked_anew(
    sampled: Worked,
    values: Mapping[str, Array],
    fixed: Collection[str] = (),
    together: bool = False,
) -> Worked:
    """The form at other values of some operands, of which those in `fixed` get no gradient. Raises
    `NotApplicable` where it has no derivative there."""
    form = sampled.form
    operands = {
        name: replace(operand, values=values.get(name, operand.values))
        for name, operand in form.operands.items()
    }
    gradient = {name: text for name, text in form.gradient.items() if name not in fixed}
    worked = Worked(replace(form, operands=operands, gradient=gradient))
    with np.errstate(invalid="ignore"):  # infinite gradients, which are not smooth
        if not np.isfinite(worked.out).all() or not _smooth(worked, together):
            raise NotApplicable
    return worked


def _smooth(worked: Worked, together: bool) -> bool:
    """Whether the differences to both sides agree with the gradients, along one direction: each
    operand's own, or the same for all."""
    names = list(worked.form.gradient)
    way = {
        name: direction(np.shape(worked.inputs[name]), 9 if together else 9 + i)
        for i, name in enumerate(names)
    }

    def scalar(step: float) -> float:
        moved = {name: worked.inputs[name] + step * way[name] for name in names}
        value = evaluate(worked.form.value, {**worked.inputs, **moved})
        return float(np.real(np.sum(np.conj(worked.g) * value)))

    here = scalar(0.0)
    ahead, behind = (scalar(NEARBY) - here) / NEARBY, (here - scalar(-NEARBY)) / NEARBY
    expected = sum(
        float(np.real(np.sum(np.conj(worked.gradients[name]) * way[name]))) for name in names
    )
    return max(abs(ahead - expected), abs(behind - expected)) <= 1e-3 * max(1.0, abs(expected))


def _in_half(array: Array) -> bool:
    """Whether float16 holds the numbers with all its digits."""
    size = np.abs(array[np.isfinite(array) & (array != 0)]) if array.dtype.kind == "f" else array
    return bool(np.all((size > 1e-4) & (size < 6e4))) if array.dtype.kind == "f" else True


def _laid_cotangent(law: Law, worked: Worked) -> tuple[Array, str]:
    g = _rounded(worked.g, law.dtype)
    laid = LAYOUTS[law.cotangent](g, _dtype_of(law, g))
    if laid is None:
        raise NotApplicable
    return laid.values, laid.text


def _dtype_of(law: Law, array: Array) -> str:
    """The dtype that a law asks for, or the complex dtype of the same precision; "" for other arrays."""
    if law.dtype == "float64" and array.dtype.kind == "c":
        return "complex128"
    return law.dtype if array.dtype.kind == "f" else ""


def _rounded(array: Array, dtype: str) -> Array:
    """The values as the dtype holds them."""
    array = np.asarray(array)
    if array.dtype.kind != "f" or dtype in ("", "float64"):
        return array
    if dtype == "bfloat16":
        bits = array.astype(np.float32).view(np.uint32)
        bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
        return bits.view(np.float32).astype(np.float64)
    return array.astype(dtype).astype(np.float64)
