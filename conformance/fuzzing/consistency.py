"""Holds an engine against itself, where no other engine is needed: its derivatives of a generated
function must be those that finite differences of its own values give."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from gradspec.adapters.framework.engine import Observations
from gradspec.spec.catalogue.formulas import COEFFICIENTS, STEP
from gradspec.spec.program.program import Program
from gradspec.spec.values import Plain

from .building import FILE, Uses, uses_of
from .comparing import Divergence
from .drawing import LEAF, VALUES, Drawn
from .statements import SHAPES

TABLES = frozenset({"operations", "views"})
"""Statements that compute a smooth function."""
TOLERANCE = 1e-6
FACTOR = TOLERANCE / 2.0**-52
"""The tolerance in machine epsilons of float64."""
ROUGHER = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))
ROUGHLY = 1e-5
"""How near differences of sixth order must be to those of eighth, for these to be as near as needed."""
STEPS = [sign * k * STEP for k, _ in COEFFICIENTS for sign in (1, -1)]
_DERIVATIVES = Uses(frozenset({"vjp"}), frozenset(), frozenset({"vjp"}))
_TANGENT = Uses(frozenset({"jvp"}), frozenset(), frozenset({"jvp"}))


def function_of(drawn: Drawn) -> tuple[str, list[str], str]:
    """The drawn statements as a function of its leaves: its text, the leaves, what its result holds."""
    leaves = [each for each in drawn.statements if each.template == LEAF]
    body = [each for each in drawn.statements if each.template != LEAF]
    last = body[-1]
    names = [leaf.name for leaf in leaves]
    lines = [f"def f({', '.join(names)}):"]
    lines += [f"    {each.name} = {each.text}" for each in body]
    lines.append(f"    return {last.name}")
    given = [f"{leaf.name} = {leaf.text}" for leaf in leaves]
    return "\n".join([*lines, *given]), names, last.holds


def build_function(drawn: Drawn, tangents: bool) -> Program:
    """A program that reports the function's values and gradients along a line, its gradients, their
    derivative, and with `tangents` its tangent."""
    text, names, holds = function_of(drawn)
    lines = text.splitlines()
    lines += [
        f"d{i} = tensor({_literal(name[0], 1)}, dtype=float64)" for i, name in enumerate(names)
    ]
    lines.append(f"g = tensor({_literal(holds, 4)}, dtype=float64)")
    inputs, directions = _tuple(names), _tuple([f"d{i}" for i in range(len(names))])
    moved = ", ".join(f"{name} + h * d{i}" for i, name in enumerate(names))
    parameters = ", ".join(names)
    lines += [
        "along = []",
        f"for h in {STEPS!r}:",
        f"    along.append((f({moved}), vjp(f, ({moved},), g)))",
        "observe(0, along)",
        f"observe(1, vjp(f, {inputs}, g))",
        f"observe(2, vjp(lambda {parameters}: vjp(f, {inputs}, g), {inputs}, {directions}))",
    ]
    uses = _DERIVATIVES
    if tangents:
        lines.append(f"observe(3, jvp(f, {inputs}, {directions}))")
        uses = uses | _TANGENT
    for statement in drawn.statements:
        uses = uses | uses_of(statement)
    return Program.of_tree(
        ast.parse("\n".join(lines) + "\n"),
        "generated", FILE, tuple(sorted(uses.words)), uses.members, uses.features,
    )  # fmt: skip


def contradicted(drawn: Drawn, part: str) -> str:
    """A program whose assertions fail where a derivative of the drawn function contradicts its values:
    `part` is `grad`, `tangent` or `second order`."""
    text, names, holds = function_of(drawn)
    parameters, inputs = ", ".join(names), _tuple(names)
    directions = [f"d{i}" for i in range(len(names))]
    ahead, behind = (
        ", ".join(f"{name} {sign} h * {way}" for name, way in zip(names, directions, strict=True))
        for sign in "+-"
    )
    lines = [text]
    lines += [
        f"{way} = tensor({_literal(name[0], 1)}, dtype=float64)"
        for name, way in zip(names, directions, strict=True)
    ]
    lines.append(f"g = tensor({_literal(holds, 4)}, dtype=float64)")
    differences = f"for h, weight in {[(k * STEP, c / STEP) for k, c in COEFFICIENTS]}:"
    if part == "second order":
        lines += [
            f"def gradient({parameters}):",
            f"    return vjp(f, {inputs}, g)",
            f"second = vjp(gradient, {inputs}, {_tuple(directions)})",
        ]
        for i in range(len(names)):
            lines += [
                "change = 0.0",
                differences,
                f"    change = change + weight * (gradient({ahead})[{i}] - gradient({behind})[{i}])",
                f"assert second[{i}] + 1.0 == change + 1.0",
            ]
        return "\n".join(lines) + "\n"
    lines += [
        "change = 0.0",
        differences,
        f"    change = change + weight * ((f({ahead}) - f({behind})) * g).sum()",
    ]
    if part == "tangent":
        lines.append(f"along = (jvp(f, {inputs}, {_tuple(directions)}) * g).sum()")
    else:
        lines.append(f"gradients = vjp(f, {inputs}, g)")
        terms = (f"(gradients[{i}] * {way}).sum()" for i, way in enumerate(directions))
        lines.append(f"along = {' + '.join(terms)}")
    lines.append("assert along + 1.0 == change + 1.0")
    return "\n".join(lines) + "\n"


def inconsistency(drawn: Drawn, observations: Observations) -> Divergence | None:
    """How the derivatives contradict the values; None if they do not, or if the engine lacks a part."""
    last = len(drawn.statements) - 1
    if observations.end.how in ("crash", "timeout"):
        message = f"expected an answer, found {observations.end.how}: {observations.end.message}"
        return Divergence(last, "error", "", message[:300])
    if observations.end.how != "finished":
        return None
    names = [each.name for each in drawn.statements if each.template == LEAF]
    way = [number for name in names for number in _flat(_literal(name[0], 1))]
    g = _flat(_literal(_result(drawn), 4))
    plain = [value for _, value in observations.observed]
    along = [item["tuple"] for item in plain[0]["list"]]
    gradient, second = _numbers(plain[1]), _numbers(plain[2])
    values = [_dot(_numbers(value), g) for value, _ in along]
    change = _slope(values)
    if not _near(change, _slope(values, ROUGHER), ROUGHLY):  # too steep for differences
        return None
    if not _near(_dot(gradient, way), change):
        message = f"the gradients give {_dot(gradient, way)} along a line, the values {change}"
        return Divergence(last, "grad", "", message)
    if len(plain) > 3 and not _near(_dot(_numbers(plain[3]), g), change):
        message = f"the tangent gives {_dot(_numbers(plain[3]), g)}, the values {change}"
        return Divergence(last, "tangent", "", message)
    gradients = [_numbers(moved) for _, moved in along]
    for i, seen in enumerate(second):
        changes = [each[i] for each in gradients]
        wanted = _slope(changes)
        if not _near(seen, wanted) and _near(wanted, _slope(changes, ROUGHER), ROUGHLY):
            message = f"the second derivative is {seen}, where the gradients change by {wanted}"
            return Divergence(last, "second order", "", message)
    return None


def _result(drawn: Drawn) -> str:
    return next(each.holds for each in reversed(drawn.statements) if each.template != LEAF)


def _tuple(names: Sequence[str]) -> str:
    return f"({', '.join(names)},)"


def _literal(holds: str, start: int) -> object:
    shape = SHAPES[holds]
    if not shape:
        return VALUES[start]
    if len(shape) == 1:
        return [VALUES[(start + i) % len(VALUES)] for i in range(shape[0])]
    return [
        [VALUES[(start + i * shape[1] + j) % len(VALUES)] for j in range(shape[1])]
        for i in range(shape[0])
    ]


def _flat(value: object) -> list[float]:
    if isinstance(value, list):
        return [number for item in value for number in _flat(item)]
    assert isinstance(value, float)
    return [value]


def _numbers(plain: Plain) -> list[float]:
    """Every number of a plain value; infinities and NaN are NaN."""
    if isinstance(plain, dict):
        if "tensor" in plain:
            return [number for item in plain["tensor"]["values"] for number in _numbers(item)]
        inner = plain.get("tuple", plain.get("list"))
        if inner is not None:
            return [number for item in inner for number in _numbers(item)]
    if isinstance(plain, int | float):
        return [float(plain)]
    return [float("nan")]


def _dot(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _slope(values: list[float], coefficients: Sequence[tuple[int, float]] = COEFFICIENTS) -> float:
    pairs = zip(coefficients, values[::2], values[1::2], strict=False)
    return sum(c * (ahead - behind) for (_, c), ahead, behind in pairs) / STEP


def _near(found: float, expected: float, tolerance: float = TOLERANCE) -> bool:
    if found != found or expected != expected:  # where the function itself is not finite
        return (found != found) == (expected != expected)
    return abs(found - expected) <= tolerance * max(1.0, abs(expected))
