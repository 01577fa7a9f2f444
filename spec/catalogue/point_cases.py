"""Makes the cases of an operation's special points, and of the calls that are errors."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..model import USUAL_TOLERANCE
from ..reading.fields import Fields
from .case_text import Programs, tensor_text
from .formulas import evaluate, summed_to
from .operations import Form, Operation
from .samples import literal_of
from .special_points import Point


def point_programs(operation: Operation, points: Sequence[Point], fields: Fields) -> Programs:
    """The cases of each point. Where a formula cannot be evaluated, a problem instead."""
    return _programs(_point_programs, operation, points, fields)


def has_formula_value(point: Point) -> bool:
    """Whether the value at a kink is that of the formula; those of complex formulas may be NaN there."""
    return point.value is None and not any(map(np.iscomplexobj, point.operands.values()))


def value_programs(operation: Operation, points: Sequence[Point], fields: Fields) -> Programs:
    """The cases of the values at kinks, where the value follows from the formula although the
    gradient does not."""
    return _programs(_value_programs, operation, points, fields)


def _programs(make: Any, operation: Operation, points: Sequence[Point], fields: Fields) -> Programs:
    for point in points:
        try:
            for label, lines in make(operation, point):
                yield label, "\n".join(lines) + "\n", operation.factor, operation.reason
        except Exception as error:  # NumPy's functions have faults of their own
            message = f"the point {point.label!r} cannot be evaluated: {error}"
            fields.refuse(operation.place, message)


def _value_programs(operation: Operation, point: Point) -> Iterator[tuple[str, list[str]]]:
    form, inputs, out = _at(operation, point)
    lines = _assertions(form.call, inputs, out, {}, out)
    if _is_each(operation, inputs, out):
        lines += _assertions(form.call, inputs, out, {}, out, " * 33")
    yield point.label, lines
    if _is_each(operation, inputs, out) and form.gradient:
        yield f"{point.label}, alike", _alike(form, inputs, out, "")
        if all(array.dtype.kind == "f" for array in inputs.values()):
            yield f"{point.label}, alike in bfloat16", _alike(form, inputs, out, ", dtype=bfloat16")


def _alike(form: Form, inputs: Mapping[str, Any], out: Any, dtype: str) -> list[str]:
    """Equal elements must get equal gradients, whichever those are, since a kernel may treat blocks of
    elements and the rest differently."""
    lines = [f"{name} = tensor({literal_of(array)}{dtype})" for name, array in inputs.items()]
    lines.append(f"assert {form.call} == {literal_of(out)}")
    lines += [f"{name} = tensor({literal_of(array)} * 33{dtype})" for name, array in inputs.items()]
    names = ", ".join(form.gradient)
    g = f"tensor({literal_of(np.ones_like(out))} * 33{dtype})"
    lines.append(f"gradients = vjp(lambda {names}: {form.call}, ({names},), {g})")
    lines += [
        f"assert gradients[{i}][{out.size}:] == gradients[{i}][:-{out.size}]"
        for i in range(len(form.gradient))
    ]
    return lines


def _at(operation: Operation, point: Point) -> tuple[Form, dict[str, Any], Any]:
    """The form of a point, its operands there, and its value."""
    form = next(form for form in operation.forms if form.label == point.form)
    inputs = {name: point.operands.get(name, form.operands[name].values) for name in form.operands}
    return form, inputs, evaluate(form.value, inputs)


def _is_one_shape(operation: Operation, inputs: Mapping[str, Any], out: Any) -> bool:
    """Whether the operation is elementwise there, without broadcasting."""
    shapes = {np.shape(array) for array in (*inputs.values(), out)}
    return operation.elementwise and len(shapes) == 1


def _is_each(operation: Operation, inputs: Mapping[str, Any], out: Any) -> bool:
    """Whether the operands are vectors of an elementwise operation."""
    return _is_one_shape(operation, inputs, out) and out.ndim == 1 and out.size > 0


def _point_programs(operation: Operation, point: Point) -> Iterator[tuple[str, list[str]]]:
    form, inputs, out = _at(operation, point)
    edge = any(point is other for other in operation.edges)
    gradient = point.gradient
    if gradient is None:
        values = {**inputs, "g": np.ones_like(out), "out": out}
        gradient = {
            name: summed_to(evaluate(formula, values), np.shape(inputs[name]))
            for name, formula in form.gradient.items()
            if formula
        }
        if len(gradient) < len(form.gradient):
            raise ValueError("its gradient does not follow from a formula; write it out")
    value = None
    if edge or point.value is not None:
        value = out if point.value is None else point.value
    lines = _assertions(form.call, inputs, value, gradient, out)
    if _is_each(operation, inputs, out):
        lines += _assertions(form.call, inputs, value, gradient, out, " * 33")
    yield point.label, lines
    if edge and _is_one_shape(operation, inputs, out):
        given = [f"{name} = {tensor_text(array)}" for name, array in inputs.items()]
        given.append(f"g = {tensor_text(np.ones_like(out))}")
        if gradient:
            yield f"{point.label}, tangent", given + _tangents(form.call, gradient)
        if point.second:
            yield f"{point.label}, second order", given + _second_order(form.call, point.second)
            mixed = given + _mixed_modes(form.call, point.second)
            yield f"{point.label}, second order in forward mode", mixed


def _tangents(call: str, gradient: Mapping[str, Any]) -> list[str]:
    """For an elementwise operation and a tangent of ones, the tangent is the gradient."""
    return [
        f"assert jvp(lambda {x}: {call}, ({x},), (g,)) == {literal_of(array)}"
        for x, array in gradient.items()
    ]


def _second_order(call: str, second: Mapping[str, Any]) -> list[str]:
    return [
        f"assert vjp(lambda {x}: vjp(lambda {x}: {call}, ({x},), g)[0], ({x},), g) == "
        f"({literal_of(array)},)"
        for x, array in second.items()
    ]


def _mixed_modes(call: str, second: Mapping[str, Any]) -> list[str]:
    lines = []
    for x, array in second.items():
        gradient = f"lambda {x}: vjp(lambda {x}: {call}, ({x},), g)[0]"
        tangent = f"lambda {x}: jvp(lambda {x}: {call}, ({x},), (g,))"
        lines.append(f"assert jvp({gradient}, ({x},), (g,)) == {literal_of(array)}")
        lines.append(f"assert vjp({tangent}, ({x},), g) == ({literal_of(array)},)")
    return lines


def _assertions(
    call: str,
    inputs: Mapping[str, Any],
    value: Any,
    gradient: Mapping[str, Any],
    out: Any,
    times: str = "",
) -> list[str]:
    """What a call must give. With `times`, every vector is that many times as long, since a kernel may
    treat blocks of elements and the rest differently."""

    def tensor(array: Any) -> str:
        return f"tensor({literal_of(array)}{times})" if times else tensor_text(array)

    lines = [f"{name} = {tensor(array)}" for name, array in inputs.items()]
    if value is not None:
        lines.append(f"assert {call} == {literal_of(value)}{times}")
    if gradient:
        names = ", ".join(gradient)
        expected = ", ".join(f"{literal_of(array)}{times}" for array in gradient.values())
        g = tensor(np.ones_like(out))
        lines.append(f"assert vjp(lambda {names}: {call}, ({names},), {g}) == ({expected},)")
    return lines


def refusal_programs(operation: Operation) -> Programs:
    """One case for each call that must raise an error; it may use the sampled operands, those of
    the first form that has them."""
    samples = {
        name: operand.values
        for form in reversed(operation.forms)
        for name, operand in form.operands.items()
    }
    valid = operation.forms[0].call or operation.forms[0].in_place
    for refusal in operation.refusals:
        used = _names_in(refusal.call) | _names_in(valid)
        lines = [f"{name} = {tensor_text(samples[name])}" for name in samples if name in used]
        kinds = ", ".join(f'"{kind}"' for kind in refusal.kinds)
        lines += [f"with raises({kinds}):", f"    {refusal.call}"]
        lines += _valid_call(operation)
        lines += _while_recording(refusal.call, kinds, [n for n in samples if n in used], samples)
        yield refusal.label, "\n".join(lines) + "\n", USUAL_TOLERANCE, ""


def _while_recording(
    call: str, kinds: str, names: Sequence[str], samples: Mapping[str, Any]
) -> list[str]:
    """The same call with operands that require grad, since a derivative may have other checks; nothing
    where that is an error of its own: in place, and with `out=`."""
    leaves = [
        name for name in names if name in _names_in(call) and samples[name].dtype.kind in "fc"
    ]
    if not leaves or re.search(r"\w_\(|\bout=", call):
        return []
    lines = [f"{name} = {tensor_text(samples[name])}.requires_grad_()" for name in leaves]
    return [*lines, f"with raises({kinds}):", f"    {call}"]


def _valid_call(operation: Operation) -> list[str]:
    """What the first form must give, so that an operation that always raises an error fails."""
    form = operation.forms[0]
    try:
        shape = evaluate(form.value, form.samples).shape
    except Exception:  # the cases of the form report it
        return []
    if form.call:
        return [f"assert {form.call}.shape == {shape}"]
    target = re.match(r"\w*", form.in_place)
    return [form.in_place, f"assert {target[0] if target else ''}.shape == {shape}"]


def _names_in(call: str) -> set[str]:
    try:
        tree = ast.parse(call)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()  # the checker of the language reports it
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
