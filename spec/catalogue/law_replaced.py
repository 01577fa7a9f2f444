"""Operands that a law replaces: by a Python number, by integers, or by one element or row of them.

A loop over replaced operands (`for NUMBER in NUMBERS:`) writes its body for a form in which the
operand named is replaced. That form is worked out anew, so that every word in it stands for what the
operation must give there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from .law_operands import Laid, NoSuchLayout, NotApplicable, worked_anew
from .layouts import plain
from .operations import Form, Operand
from .samples import CLEARANCE, direction, literal_of
from .slices import all_slices_of
from .worked import Worked

Array = Any
CONVERSION = re.compile(r"\.to\(|\bdtype=")
"""A call that converts its result."""

JOINING = "joining"
"""The chapter of operations that are not elementwise, and whose operands may have several dtypes all the same."""

IMAGINARY = 13
"""The seed of imaginary parts."""

TENTH = 0.1
"""Numbers are tenths where they can be: no floating dtype has all of their digits."""


def is_operator(form: Form) -> bool:
    """Whether a form's call is an operator, such as `x + y`."""
    return isinstance(ast.parse(form.call, mode="eval").body, ast.BinOp)


def has_number(form: Form) -> bool:
    """Whether a floating number stands in a form's call beside its operands."""
    call = ast.parse(form.call, mode="eval").body
    parts: list[ast.expr] = []
    if isinstance(call, ast.BinOp):
        parts = [call.left, call.right]
    elif isinstance(call, ast.Call):
        parts = [*call.args, *(keyword.value for keyword in call.keywords)]
    numbers = (part.operand if isinstance(part, ast.UnaryOp) else part for part in parts)
    return any(isinstance(n, ast.Constant) and type(n.value) is float for n in numbers)


def number_places(laid: Laid) -> list[str]:
    """The operands that can be numbers; "" stands for a form whose call has a number already."""
    if is_operator(laid.form) and len(laid.differentiable) > 1:
        return laid.differentiable
    return [""] if has_number(laid.form) else []


def with_number(laid: Laid, name: str) -> Laid:
    """The form with a Python number as this operand; the form itself for ""."""
    if not name:
        return laid
    operand = laid.form.operands[name]
    if not _is_replaceable(operand):
        raise NoSuchLayout
    value = np.array(_number_of(operand))
    return _replaced(laid, {name: value}, {name: literal_of(value)})


def with_truth(laid: Laid, name: str) -> Laid:
    """The form with True as this operand."""
    operand = laid.form.operands.get(name)
    if operand is None or not _is_replaceable(operand) or not _allows(operand, 1.0):
        raise NoSuchLayout
    return _replaced(laid, {name: np.array(1.0)}, {name: "True"})


def with_wide_number(laid: Laid, name: str) -> Laid:
    """The form with a 0-dimensional tensor of float64 as this operand."""
    operand = laid.form.operands.get(name)
    if operand is None or not _is_replaceable(operand):
        raise NoSuchLayout
    others = (np.shape(other.values) for key, other in laid.form.operands.items() if key != name)
    if not all(others):
        raise NoSuchLayout
    value = np.array(_number_of(operand))
    made = _replaced(laid, {name: value}, {})
    return replace(made, texts={**made.texts, name: f"tensor({literal_of(value)}, dtype=float64)"})


def several_operands(laid: Laid) -> list[str]:
    """The operands with a gradient of an operation that takes operands of several dtypes."""
    names = laid.differentiable
    promotes = laid.operation.elementwise or laid.operation.chapter == JOINING
    return names if promotes and len(names) > 1 else []


def with_wider(laid: Laid, name: str) -> Laid:
    """The form with float64 numbers as this operand."""
    values = laid.worked.inputs[name]
    if np.asarray(values).dtype.kind != "f":
        raise NoSuchLayout
    made = plain(values, "float64")
    assert made is not None
    return replace(laid, texts={**laid.texts, name: made.text})


def with_integers(laid: Laid, name: str) -> Laid:
    """The form with integers as this operand."""
    return _with_integers(laid, [name])


def with_integers_only(laid: Laid) -> Laid:
    """The form with integers as every floating operand."""
    names = [n for n, operand in laid.form.operands.items() if operand.values.dtype.kind == "f"]
    return _with_integers(laid, names)


def _with_integers(laid: Laid, names: list[str]) -> Laid:
    if CONVERSION.search(laid.form.call):
        raise NoSuchLayout  # what the call converts its result to may depend on the integers
    if not names or not all(_is_replaceable(laid.form.operands[name]) for name in names):
        raise NoSuchLayout
    values = {name: _integers_of(laid.form.operands[name]) for name in names}
    texts = {name: f"tensor({literal_of(values[name].astype(int))})" for name in names}
    return _replaced(laid, values, texts)


def _is_replaceable(operand: Operand) -> bool:
    """Whether other values can stand for an operand's, since it says what they may be."""
    return operand.sampled and operand.values.dtype.kind == "f"


def _allows(operand: Operand, value: float) -> bool:
    return operand.low <= value <= operand.high and all(
        abs(value - kink) >= CLEARANCE for kink in operand.avoid
    )


def _number_of(operand: Operand) -> float:
    first = float(operand.values.flat[0])
    tenth = round(first, 1)
    nearby = (tenth + k * TENTH for k in (0, 1, -1, 2, -2))
    numbers = (round(number, 1) for number in nearby)
    return next((n for n in numbers if _allows(operand, n) and (2 * n) % 1), first)


def _integers_of(operand: Operand) -> Array:
    """The integer nearest to each element, of those that the operand allows."""
    allowed = [float(k) for k in range(-9, 10) if _allows(operand, k)]
    if not allowed:
        raise NoSuchLayout
    return np.vectorize(lambda x: min(allowed, key=lambda k: (abs(k - x), k)), otypes=[float])(
        operand.values
    )


def _replaced(laid: Laid, values: Mapping[str, Array], texts: Mapping[str, str]) -> Laid:
    """The form at other values of some operands, which get no gradient."""
    try:
        worked = worked_anew(laid.worked, values, fixed=texts)
    except (NotApplicable, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise NoSuchLayout from error
    g_text = f"tensor({literal_of(worked.g)})"
    return Laid(
        laid.operation,
        worked,
        {**laid.texts, **texts},
        worked.g,
        g_text,
        worked.gradients,
        frozenset(texts),
    )


PARTS: dict[str, Callable[[Array], Array | None]] = {
    "one element": lambda x: x[(0,) * x.ndim],
    "one row": lambda x: x[:1] if x.ndim > 1 and len(x) > 1 else None,
    "one column": lambda x: x[..., :1] if x.ndim > 0 and x.shape[-1] > 1 else None,
}
"""What an operand can be reduced to, so that it must be stretched again."""

OTHERS = "beside one element"


def stretchable(laid: Laid) -> list[str]:
    """The operands with each part that they can be reduced to, or beside which the others can be."""
    inputs = {name: np.asarray(value) for name, value in laid.worked.inputs.items()}
    if len(inputs) < 2:
        return []
    reduced = [
        (name, part) for name in inputs for part in PARTS if PARTS[part](inputs[name]) is not None
    ]
    if len(inputs) > 2:
        reduced += [(name, OTHERS) for name in inputs]
    return [f"{name} {part}" for name, part in reduced]


def stretched(laid: Laid, item: str) -> Laid:
    """The form with a part of some operands, which are stretched to the shape of the others."""
    name, part = item.split(" ", 1)
    inputs = {key: np.asarray(value) for key, value in laid.worked.inputs.items()}
    changed = [name] if part != OTHERS else [other for other in inputs if other != name]
    reduce = PARTS.get(part, PARTS["one element"])
    values = {key: np.asarray(reduce(inputs[key])) for key in changed}
    try:
        worked = worked_anew(laid.worked, values)
    except (NotApplicable, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise NoSuchLayout from error
    if worked.out.shape != laid.worked.out.shape:
        raise NoSuchLayout
    texts = dict(laid.texts)
    for key, value in values.items():
        found = re.search(r", dtype=(\w+)\)$", texts[key])
        made = plain(value, found[1] if found else "")
        assert made is not None
        texts[key] = made.text
    gradients = worked.gradients_at(worked.inputs, laid.g)
    return replace(laid, worked=worked, texts=texts, gradients=gradients)


def with_nan(laid: Laid, name: str) -> Laid:
    """The form with NaN as the first element of an operand, where result and gradient are NaN too."""
    operand = laid.form.operands[name]
    if operand.values.dtype.kind != "f":
        raise NoSuchLayout
    values = np.array(operand.values)
    values[(0,) * values.ndim] = np.nan
    operands = {**laid.form.operands, name: replace(operand, values=values)}
    try:
        with np.errstate(all="ignore"):
            worked = Worked(replace(laid.form, operands=operands))
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise NoSuchLayout from error
    if not (np.isnan(worked.out.flat[0]) and np.isnan(worked.gradients[name].flat[0])):
        raise NoSuchLayout
    texts = {**laid.texts, name: f"tensor({literal_of(values)})"}
    return replace(laid, worked=worked, texts=texts, gradients=worked.gradients)


def complexes(laid: Laid) -> list[str]:
    """The operands that are complex: all that have a gradient, and each by itself beside real ones."""
    names = laid.differentiable
    return [" ".join(names), *several_operands(laid)] if names else []


def with_complex(laid: Laid, item: str) -> Laid:
    """The form with an imaginary part added to some operands. Gradients are those of its value formula: by
    the real part of an operand, and times i by its imaginary part."""
    names = item.split()
    operands = dict(laid.form.operands)
    if any(operands[name].values.dtype.kind != "f" for name in laid.differentiable):
        raise NoSuchLayout
    for i, name in enumerate(names):
        values = operands[name].values
        imaginary = direction(np.shape(values), IMAGINARY + i) / 4
        operands[name] = replace(operands[name], values=values + 1j * imaginary)
    form = replace(laid.form, operands=operands, gradient=dict.fromkeys(laid.form.gradient, ""))
    worked = Worked(form)
    made = {name: f"tensor({literal_of(worked.inputs[name])})" for name in names}
    g_text = f"tensor({literal_of(worked.g)})"
    texts = {**laid.texts, **made}
    return replace(
        laid, worked=worked, texts=texts, g=worked.g, g_text=g_text, gradients=worked.gradients
    )


def along(laid: Laid, number: str) -> Laid:
    """The form as it can be repeated along one of its dimensions."""
    return replace(laid, along=all_slices_of(laid.worked)[int(number)])


REPLACED: dict[str, Callable[[Laid, str], Laid]] = {
    "NUMBER": with_number,
    "TRUTH": with_truth,
    "WIDE": with_wide_number,
    "WIDER": with_wider,
    "INTEGER": with_integers,
    "STRETCHED": stretched,
    "UNKNOWN": with_nan,
    "COMPLEX": with_complex,
    "ALONG": along,
}
"""The loops in whose body an operand, or the dimension of its slices, is replaced."""
