"""Makes behaviors and cases of the catalogue's operations: programs with literal operands and the
values that the formulas give for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..model import Behavior, Case, Chapter, Level, Source, Strength, widened
from ..problems import Problem
from ..program.lowering import lower_generated
from ..reading.chapters import Room, Tables, slug
from ..reading.fields import Fields
from ..reading.yaml_reader import Located
from .bounded import METER
from .case_text import (
    Programs,
    function_text,
    given,
    gradient_text,
    names_text,
    shape_text,
    tensor_text,
    tuple_text,
    vjp_text,
)
from .formulas import QUIET
from .operations import Form, Operation, read_entry, with_shapes
from .point_cases import has_formula_value, point_programs, refusal_programs, value_programs
from .samples import literal_of
from .special_points import Point, Refusal
from .worked import Worked, worked_at

DOCUMENTATION = "https://docs.pytorch.org/docs/stable"
TWICE = "the second derivative is rounded in two passes"
DIFFERENCES = "the expected values are finite differences of the formula, good to ten digits"
STRETCHED = {
    "first operand stretched": [(3,), (2, 3), (2, 1)],
    "other operands stretched": [(2, 3), (2, 1), (3,)],
}


@QUIET
def read_operations(
    located: Located, file: str, name: str, tables: Tables, problems: list[Problem]
) -> tuple[Chapter, dict[str, Source]]:
    """One file of operations as a chapter, and the pages of the documentation that it rests on."""
    fields = Fields(problems)
    METER.refill()
    top = fields.mapping(
        located, "a file of operations", ["title", "introduction", "operations"], ["elementwise"]
    )
    room = Room(fields)
    elementwise = top["elementwise"].value is True if "elementwise" in top else False
    behaviors: list[Behavior] = []
    sources: dict[str, Source] = {}
    for item in fields.sequence(top.get("operations"), "operations"):
        operation, found = read_entry(item, name, elementwise)
        for problem in found:
            fields.report(problem)
        if operation is not None:
            fields.behavior = operation.id
            source = _source(operation.documented)
            sources[source.name] = source
            for behavior, programs in _behaviors(operation, name, fields):
                _add_cases(behavior, programs, operation, file, tables, fields, room)
                behaviors.append(behavior)
        fields.behavior = ""
    title = fields.text(top.get("title"), "title")
    introduction = fields.text(top.get("introduction"), "introduction")
    return Chapter(name, title, introduction, tuple(behaviors)), sources


def _source(documented: str) -> Source:
    """The page of PyTorch's documentation on which an operation is described."""
    last = documented.rpartition(".")[2]
    if last in ("__getitem__", "__setitem__"):
        where = f"{DOCUMENTATION}/tensor_view.html"
    elif documented.startswith("torch.Tensor.") and last in ("T", "H", "mT", "mH"):
        where = f"{DOCUMENTATION}/tensors.html#{documented}"
    elif documented.startswith("torch.special."):
        where = f"{DOCUMENTATION}/special.html#{documented}"
    else:
        where = f"{DOCUMENTATION}/generated/{documented}.html"
    return Source(documented, documented, where)


def _behaviors(
    operation: Operation, chapter: str, fields: Fields
) -> Iterator[tuple[Behavior, Programs]]:
    def behavior(suffix: str, statement: str, strength: Strength, level: Level) -> Behavior:
        return Behavior(
            id=operation.id + suffix,
            chapter=chapter,
            statement=statement,
            strength=strength,
            level=level,
            sources=(operation.documented,),
            place=operation.place,
            refuses="a backward pass" if operation.derivative == "refused" else "",
            pitfall=operation.pitfall,
            differs=operation.differs,
            since=operation.since,
        )

    yield behavior("", _statement(operation), "MUST", "implied"), _programs(operation, fields)
    call = operation.forms[0].call
    if operation.kinks:
        statement = (
            f"Where `{call}` has no derivative ({_labels(operation.kinks)}), its gradient SHOULD "
            "be the one that PyTorch computes."
        )
        kinks = point_programs(operation, operation.kinks, fields)
        yield behavior("-at-kinks", statement, "SHOULD", "observed"), kinks
        plain = [point for point in operation.kinks if has_formula_value(point)]
        if plain:
            statement = (
                f"Where `{call}` has no derivative ({_labels(plain)}), its value MUST still follow from the "
                "operation's definition, and equal elements MUST get equal gradients."
            )
            values = value_programs(operation, plain, fields)
            yield behavior("-value-at-kinks", statement, "MUST", "implied"), values
    if operation.edges:
        statement = (
            f"At special points ({_labels(operation.edges)}), the value and the derivatives of "
            f"`{call}` MUST follow from the operation's definition."
        )
        edges = point_programs(operation, operation.edges, fields)
        yield behavior("-at-edges", statement, "MUST", "implied"), edges
    if operation.refusals:
        wrong = _labels(operation.refusals)
        statement = f"`{call}` MUST raise an error for invalid arguments: {wrong}."
        refused = behavior("-refuses", statement, "MUST", "implied")
        refused.refuses = wrong
        yield refused, refusal_programs(operation)


def _labels(described: Sequence[Point | Refusal]) -> str:
    return "; ".join(each.label for each in described)


def _statement(operation: Operation) -> str:
    form = operation.forms[0]
    said = f"`{form.call or form.in_place}` MUST give {operation.gives}"
    if operation.derivative == "none":
        return f"{said}, and the result MUST NOT require grad."
    if operation.derivative == "refused":
        return f"{said}, and a backward pass through it MUST raise an error."
    several = any(
        (other.call, other.gradient) != (form.call, form.gradient) for other in operation.forms
    )
    if several or not all(form.gradient.values()):
        return (
            f"{said}, and its gradients MUST be those of this function"
            f"{', in every form of the call' if several else ''}."
        )
    if len(form.gradient) == 1:
        formula = next(iter(form.gradient.values()))
        return f"{said}, and its gradient MUST be `{formula}` for a gradient `g` of the result."
    each = ", ".join(f"`{formula}` for {name}" for name, formula in form.gradient.items())
    return f"{said}, and its gradients MUST be {each}, for a gradient `g` of the result."


def _programs(operation: Operation, fields: Fields) -> Programs:
    """All cases of an operation. Where a formula cannot be evaluated, a problem instead."""
    called: set[str] = set()
    for form in operation.forms:
        try:
            yield from _programs_of(operation, form, again=form.call in called)
            called.add(form.call)
        except Exception as error:  # NumPy's functions have faults of their own
            message = f"the formulas cannot be evaluated: {type(error).__name__}: {error}"
            fields.refuse(
                form.place, message, "formulas use NumPy's names; see spec/catalogue/formulas.py"
            )


def _programs_of(operation: Operation, form: Form, again: bool) -> Programs:
    """The cases of one form; `again` if an earlier form has the same call on other operands."""
    prefix = f"{form.label}: " if form.label else ""
    factor, reason = operation.factor, operation.reason
    worked = worked_at(form)
    if not form.call:
        yield f"{prefix}in place", _in_place(worked), factor, reason
        return
    value = f"assert {form.call} == {literal_of(worked.out)}"
    if worked.out.size == 0:
        yield f"{prefix}value", _empty(worked), factor, reason
        return
    yield f"{prefix}value", f"{given(worked)}{value}\n", factor, reason
    if form.method:
        method = f"assert {form.method} == {literal_of(worked.out)}"
        yield f"{prefix}as a method", f"{given(worked)}{method}\n", factor, reason
    if form.view is not None:
        first = next(iter(form.operands))
        shares = f"assert {'' if form.view else 'not '}shares_storage(result, {first})"
        result = f"result = {form.call}\n{shares}\nassert result == {literal_of(worked.out)}\n"
        name = "shares its operand's storage" if form.view else "has storage of its own"
        yield f"{prefix}{name}", given(worked) + result, factor, reason
    if form.derivative != "formula":
        yield f"{prefix}no gradient", _no_gradient(worked), factor, reason
        return
    gradient = gradient_text(worked)
    yield f"{prefix}gradient", f"{given(worked)}{gradient}\n", factor, reason
    if not any(worked.inputs[name].size for name in form.gradient):
        return
    text = f"{given(worked, double=True)}{value}\n{gradient_text(worked, double=True)}\n"
    looser = (1e6 * widened(factor), DIFFERENCES)
    tolerance = (factor, reason) if worked.exact else looser
    yield f"{prefix}in float64", text, *tolerance
    tangents = worked.tangents(1)
    seeds = ", ".join(tensor_text(t) for t in tangents.values())
    tangent = (
        f"assert jvp({function_text(worked)}, {names_text(worked)}, ({seeds},)) == "
        f"{literal_of(worked.tangent(tangents))}"
    )
    yield f"{prefix}tangent", f"{given(worked)}{tangent}\n", factor, reason
    if all(np.isfinite(value).all() for value in worked.inputs.values()):
        yield from _second_order(worked, prefix, factor, reason)
    if form.in_place:
        yield f"{prefix}in place", _in_place(worked), factor, reason
    if operation.elementwise and not again:
        yield from _elementwise(form, prefix, factor, reason)
    first = worked.inputs[next(iter(form.gradient))]
    if first.ndim == 2 and form is operation.forms[0]:
        transposed = f"{given(worked, transposed=True)}{value}\n{gradient}\n"
        yield f"{prefix}of a transposed operand", transposed, factor, reason


def _elementwise(form: Form, prefix: str, factor: float, reason: str) -> Programs:
    """What every elementwise operation does with its operands' shapes."""
    free = list(form.operands)
    if not all(operand.sampled for operand in form.operands.values()):
        return
    scalar = Worked(with_shapes(form, dict.fromkeys(free, ()), form.label))
    if scalar.out.shape == ():
        gradient = f"assert {vjp_text(scalar)} == {tuple_text(scalar.gradients)}"
        value = f"assert {form.call} == {literal_of(scalar.out)}"
        name = f"{prefix}without dimensions"
        yield name, f"{given(scalar)}{value}\n{gradient}\n", factor, reason
    nothing = Worked(with_shapes(form, dict.fromkeys(free, (0, 3)), form.label))
    if nothing.out.shape == (0, 3):
        yield f"{prefix}without elements", _empty(nothing), factor, reason
    if len(free) > 1:
        for name, shapes in STRETCHED.items():
            stretched = Worked(with_shapes(form, dict(zip(free, shapes, strict=False)), form.label))
            gradient = f"assert {vjp_text(stretched)} == {tuple_text(stretched.gradients)}"
            value = f"assert {form.call} == {literal_of(stretched.out)}"
            yield f"{prefix}{name}", f"{given(stretched)}{value}\n{gradient}\n", factor, reason


def _second_order(worked: Worked, prefix: str, factor: float, reason: str) -> Programs:
    second = worked.second()
    names = list(worked.form.gradient)
    parameters = ", ".join([*names, "cotangent"])
    directions = ", ".join(tensor_text(h, not second.exact) for h in second.directions.values())
    lines = [
        f"def gradient({parameters}):",
        f"    return vjp({function_text(worked)}, {names_text(worked)}, cotangent)",
        *given(worked, double=not second.exact).splitlines(),
        f"g = {tensor_text(worked.g, not second.exact)}",
        f"second = vjp(gradient, ({', '.join([*names, 'g'])}), ({directions},))",
    ]
    for i, expected in enumerate([*second.by_operand.values(), second.by_cotangent]):
        lines.append(f"assert second[{i}]{_near(expected, second.exact)}")
    program = "\n".join(lines) + "\n"
    if second.exact:
        yield f"{prefix}second order", program, max(4 * factor, 64.0), reason or TWICE
    else:
        yield f"{prefix}second order", program, 1e6 * widened(factor), DIFFERENCES


def _near(expected: Any, exact: bool) -> str:
    """A comparison; one with nothing but zeros, or with some among numbers that are not exact,
    leaves room for what cancellation leaves."""
    if not expected.size:
        return shape_text(expected)
    if not (expected.any() if exact else expected.all()):
        return f" + 1.0 == {literal_of(expected + 1.0)}"
    return f" == {literal_of(expected)}"


def _in_place(worked: Worked) -> str:
    """The in-place variant, with the same value and gradient."""
    form = worked.form
    target = next(name for name in re.findall(r"\w+", form.in_place) if name in worked.inputs)
    lines = []
    for name, value in worked.inputs.items():
        if name == target:
            lines += [f"leaf = {tensor_text(value)}.requires_grad_()", f"{name} = leaf.clone()"]
        else:
            required = ".requires_grad_()" if name in form.gradient else ""
            lines.append(f"{name} = {tensor_text(value)}{required}")
    lines += [
        form.in_place,
        f"assert {target} == {literal_of(worked.out)}",
        f"{target}.backward({tensor_text(worked.g)})",
    ]
    for name, gradient in worked.gradients.items():
        leaf = "leaf" if name == target else name
        lines.append(f"assert {leaf}.grad == {literal_of(gradient)}")
    return "\n".join(lines) + "\n"


def _no_gradient(worked: Worked) -> str:
    lines = []
    for name, operand in worked.form.operands.items():
        required = ".requires_grad_()" if operand.values.dtype.kind in "fc" else ""
        lines.append(f"{name} = {tensor_text(operand.values)}{required}")
    if worked.form.derivative == "none":
        value = literal_of(worked.out)
        lines += [f"result = {worked.form.call}", f"assert result == {value}"]
        lines += ["assert not result.requires_grad"]
    else:
        lines += [
            f"result = {worked.form.call}",
            f"assert result == {literal_of(worked.out)}",
            'with raises("not-differentiable"):',
            f"    result.backward({tensor_text(worked.g)})",
        ]
    return "\n".join(lines) + "\n"


def _empty(worked: Worked) -> str:
    lines = [f"result = {worked.form.call}", f"assert result.shape == {worked.out.shape}"]
    seed = f"zeros({worked.out.shape})"
    for i, gradient in enumerate(worked.gradients.values()):
        lines.append(
            f"assert vjp({function_text(worked)}, {names_text(worked)}, {seed})[{i}]"
            f"{shape_text(gradient)}"
        )
    return given(worked) + "\n".join(lines) + "\n"


def _add_cases(
    behavior: Behavior,
    programs: Programs,
    operation: Operation,
    file: str,
    tables: Tables,
    fields: Fields,
    room: Room,
) -> None:
    place = operation.place
    for name, text, factor, reason in programs:
        if not room.for_case(place, text):
            return
        identifier = f"{behavior.id}/{slug(name)}"
        problems: list[Problem] = []
        lowered = lower_generated(
            identifier, text, file, place, tables.vocabulary, tables.kinds, problems
        )
        for problem in problems:
            message = f"{problem.message}, in the case {name!r} that is made of this operation"
            fields.refuse(place, message, problem.hint)
        if lowered is None:
            return
        program, expectations = lowered
        behavior.cases.append(
            Case(
                identifier,
                behavior,
                name,
                text,
                place,
                program,
                expectations,
                place.line,
                factor,
                reason,
                generated=True,
            )
        )
