"""Reads the catalogue of operations: one entry each, from which its cases are generated.

An entry gives the call, the operands' domains, the value and the gradients as formulas. The cases
made of it are ordinary cases (`operation_cases.py`), so that an engine runs them like any other.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ..model import USUAL_TOLERANCE
from ..problems import Place, Problem, SpecError, nearest
from ..program.syntax import MAX_TEXT
from ..reading.fields import Fields
from ..reading.yaml_reader import Located, read_yaml
from .bounded import METER, TooMuch
from .formulas import fault_of
from .samples import MAX_SAMPLES, sample
from .special_points import Point, Refusal, read_array, read_points, read_refusals

REQUIRED = ("id", "gives", "documented")
OPTIONAL = (
    "operands", "call", "value", "gradient", "forms", "in_place", "method", "view", "at_kinks",
    "derivative", "condition", "pitfall", "since", "differs", "saves", "edges", "raises",
    "elementwise",
)  # fmt: skip
FORM = (
    "operands", "call", "value", "gradient", "derivative", "in_place", "method", "view", "saves",
    "laws",
)  # fmt: skip
VARIANTS = ("method", "in_place", "view")
DERIVATIVES = ("formula", "none", "refused")
DEFAULT_SHAPE = (2, 3)
MAX_DIMENSIONS = 8
DOMAIN = ("between", "avoid", "shape", "values", "complex")


@dataclass(frozen=True)
class Operand:
    """An operand's sampled values; a constant one (an index, a mask) has no gradient."""

    name: str
    values: Any = field(compare=False)
    low: float = 0.0
    high: float = 0.0
    avoid: tuple[float, ...] = ()
    sampled: bool = True


@dataclass(frozen=True, eq=False)
class Form:
    """One way to call the operation, with its result; one that is only a statement, such as
    `x[0] = y`, has `in_place` and no call.

    A gradient without a formula (an empty text) is the derivative of `value`. `saves` names what a
    backward pass needs of the operands and of the result, `out`; None if the entry does not say. `laws` are
    those that hold one form of each operation to them, and this form too.
    """

    label: str
    place: Place
    operands: Mapping[str, Operand]
    call: str
    value: str
    gradient: Mapping[str, str]
    in_place: str = ""
    method: str = ""
    view: bool | None = None
    derivative: str = "formula"
    saves: tuple[str, ...] | None = None
    laws: tuple[str, ...] = ()

    @property
    def samples(self) -> dict[str, Any]:
        """The operands' values by name."""
        return {name: operand.values for name, operand in self.operands.items()}


@dataclass(frozen=True)
class Operation:
    """One entry of the catalogue."""

    id: str
    place: Place
    gives: str
    documented: str
    elementwise: bool
    forms: tuple[Form, ...]
    derivative: str = "formula"
    kinks: tuple[Point, ...] = ()
    edges: tuple[Point, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    factor: float = USUAL_TOLERANCE
    reason: str = ""
    pitfall: str = ""
    since: str = ""
    differs: str = ""

    @property
    def name(self) -> str:
        """Its name as users write it, such as `sin` or `Tensor.expand`."""
        return self.documented.removeprefix("torch.")

    @property
    def chapter(self) -> str:
        """The chapter of the catalogue that it is in."""
        return self.id.partition(".")[0]


def catalogue(root: Path | None = None) -> Iterator[Operation]:
    """Every operation of a specification, by default our own. Raises `SpecError` where an entry is
    not well formed."""
    from ..reading.folder import ROOT, operation_paths

    for path in operation_paths(root or ROOT):
        yield from operations_of(path)


def operations_of(path: Path) -> Iterator[Operation]:
    """The operations of one file. Raises `SpecError` where an entry is not well formed."""
    METER.refill()
    problems: list[Problem] = []
    top = read_yaml(path).value
    elementwise = "elementwise" in top and top["elementwise"].value is True
    for item in top["operations"].value:
        operation = read_operation(item, path.stem, elementwise, Fields(problems))
        if operation is None:
            raise SpecError(problems)
        yield operation


@lru_cache(maxsize=1024)
def read_entry(
    located: Located, chapter: str, elementwise: bool
) -> tuple[Operation | None, tuple[Problem, ...]]:
    """As `read_operation`, with the problems of this entry. Kept, because the laws are made from the
    same entries right after the operations' own chapter."""
    problems: list[Problem] = []
    return read_operation(located, chapter, elementwise, Fields(problems)), tuple(problems)


def read_operation(
    located: Located, chapter: str, elementwise: bool, fields: Fields
) -> Operation | None:
    """One entry, or None if too much of it is wrong; each problem is reported to `fields`."""
    entry = fields.mapping(located, "an operation", REQUIRED, OPTIONAL)
    before = len(fields.problems)
    if "id" not in entry:
        return None
    identifier = fields.text(entry["id"], "id")
    fields.behavior = identifier
    pattern = rf"{re.escape(chapter)}\.[a-z0-9][a-z0-9-]*"
    fields.pattern(identifier, entry["id"].place, "the id", pattern, f"{chapter}.some-short-name")
    documented = fields.text(entry.get("documented"), "documented")
    if "documented" in entry:
        name = r"torch(\.[A-Za-z_][A-Za-z0-9_]*)+"
        fields.pattern(documented, entry["documented"].place, "the name", name, "torch.sin")
    derivative = fields.choice(entry.get("derivative"), "derivative", DERIVATIVES, "formula")
    operands = _operands(entry.get("operands"), {}, fields)
    common = {key: entry[key] for key in FORM if key in entry}
    forms = _forms(entry, located.place, common, operands, fields)
    factor, reason = fields.tolerance(entry.get("condition"), "condition")
    names = [form.label for form in forms]
    known = {*operands, *(name for form in forms for name in form.operands)}
    kinks = read_points(entry.get("at_kinks"), "at_kinks", names, known, fields)
    edges = read_points(entry.get("edges"), "edges", names, known, fields)
    refusals = read_refusals(entry.get("raises"), fields)
    if len(fields.problems) > before or not forms:
        return None
    return Operation(
        identifier,
        located.place,
        fields.text(entry.get("gives"), "gives"),
        documented,
        _own_choice(entry.get("elementwise"), elementwise, fields),
        forms,
        derivative,
        kinks,
        edges,
        refusals,
        factor,
        reason,
        fields.text(entry.get("pitfall"), "pitfall"),
        fields.text(entry.get("since"), "since"),
        fields.text(entry.get("differs"), "differs"),
    )


def _own_choice(located: Located | None, of_file: bool, fields: Fields) -> bool:
    """What an entry says of itself, else what its file says of all."""
    if located is None:
        return of_file
    if not isinstance(located.value, bool):
        fields.refuse(located.place, "expected elementwise to be true or false")
    return located.value is True


def _operands(
    located: Located | None, inherited: Mapping[str, Operand], fields: Fields
) -> dict[str, Operand]:
    """Operands by name: the inherited ones, changed or added to."""
    operands = dict(inherited)
    if located is None:
        return operands
    for name, domain in fields.any_mapping(located, "operands").items():
        place = located.keys[name]
        fields.pattern(name, place, "the operand", r"[a-z][a-z0-9_]*", "x")
        seed = list(operands).index(name) if name in operands else len(operands)
        operand = _operand(name, domain, operands.get(name), seed, fields)
        if operand is not None:
            operands[name] = operand
    return operands


def _operand(
    name: str, located: Located, earlier: Operand | None, seed: int, fields: Fields
) -> Operand | None:
    entry = fields.mapping(located, f"the operand {name}", [], DOMAIN)
    if "values" in entry:
        values = read_array(entry["values"], fields)
        return None if values is None else Operand(name, values, sampled=False)
    low, high = (earlier.low, earlier.high) if earlier and earlier.sampled else (-2.0, 2.0)
    if "between" in entry:
        bounds = _numbers(entry["between"], "between", fields)
        if len(bounds) != 2 or not bounds[0] < bounds[1]:
            fields.refuse(entry["between"].place, "expected between to be [low, high]")
            return None
        low, high = bounds
    avoid = (
        tuple(_numbers(entry["avoid"], "avoid", fields))
        if "avoid" in entry
        else (earlier.avoid if earlier else ())
    )
    shape = DEFAULT_SHAPE if earlier is None else earlier.values.shape
    if "shape" in entry:
        sizes = _numbers(entry["shape"], "shape", fields)
        if len(sizes) > MAX_DIMENSIONS or not all(n in range(MAX_SAMPLES + 1) for n in sizes):
            what = f"at most {MAX_DIMENSIONS} integers from 0 to {MAX_SAMPLES}"
            fields.refuse(entry["shape"].place, f"expected shape to be {what}")
            return None
        shape = tuple(int(n) for n in sizes)
    is_complex = _is_complex(entry.get("complex"), earlier, fields)
    if len(avoid) > MAX_SAMPLES:
        fields.refuse(entry["avoid"].place, f"expected avoid to have at most {MAX_SAMPLES} numbers")
        return None
    try:
        values = _sampled(shape, low, high, avoid, seed, is_complex)
    except (ValueError, TooMuch) as error:
        fields.refuse(located.place, str(error), "widen `between`, or make `shape` smaller")
        return None
    return Operand(name, values, low, high, avoid)


def _is_complex(located: Located | None, earlier: Operand | None, fields: Fields) -> bool:
    if located is None:
        return earlier is not None and np.iscomplexobj(earlier.values)
    if not isinstance(located.value, bool):
        fields.refuse(located.place, "expected complex to be true or false")
    return located.value is True


def _numbers(located: Located, what: str, fields: Fields) -> list[float]:
    return [fields.number(item, what, 0.0) for item in fields.sequence(located, what)]


def _forms(
    entry: Mapping[str, Located],
    place: Place,
    common: Mapping[str, Located],
    operands: Mapping[str, Operand],
    fields: Fields,
) -> tuple[Form, ...]:
    if "forms" not in entry:
        form = _form("", place, common, operands, fields)
        return (form,) if form else ()
    found: list[Form] = []
    for label, body in fields.any_mapping(entry["forms"], "forms").items():
        own = fields.mapping(body, f"the form {label!r}", [], FORM)
        own_operands = _operands(own.get("operands"), operands, fields)
        shared = _without_variants(common) if found else common
        form = _form(label, body.place, {**shared, **own}, own_operands, fields)
        if form:
            found.append(form)
    return tuple(found)


def _without_variants(common: Mapping[str, Located]) -> dict[str, Located]:
    """What later forms take over: a method or an in-place variant belongs to the first call."""
    return {name: item for name, item in common.items() if name not in VARIANTS}


def _form(
    label: str,
    place: Place,
    entry: Mapping[str, Located],
    operands: Mapping[str, Operand],
    fields: Fields,
) -> Form | None:
    before = len(fields.problems)
    for key in ("call", "value"):
        if key not in entry and (key != "call" or "in_place" not in entry):
            fields.refuse(place, f"the operation is missing {key!r}")
    if not operands and not entry.get("operands", Located({}, place)).value:
        fields.refuse(
            place, "the operation is missing 'operands'", "operands: {x: {between: [-2, 2]}}"
        )
    if not operands or len(fields.problems) > before:
        return None
    call = fields.text(entry.get("call"), "call")
    in_place = fields.text(entry.get("in_place"), "in_place")
    known = {*operands, "out"}
    used = {node.id for node in ast.walk(_parsed(call or in_place)) if isinstance(node, ast.Name)}
    operands = {name: operand for name, operand in operands.items() if name in used}
    value = _formula(entry["value"], "value", frozenset(operands), fields)
    names = frozenset({*operands, "g", "out"})
    derivative = fields.choice(entry.get("derivative"), "derivative", DERIVATIVES, "formula")
    gradient = {}
    if "gradient" in entry and derivative == "formula":
        gradient = _gradient(entry["gradient"], operands, names, fields)
    saves = _saves(entry.get("saves"), names - {"g"}, known, fields)
    if derivative == "formula" and not gradient:
        fields.refuse(place, "the operation has no gradient", "or say `derivative: none`")
    view = entry["view"].value if "view" in entry else None
    if view not in (None, True, False):
        fields.refuse(entry["view"].place, "expected view to be true or false")
    if len(fields.problems) > before:
        return None
    method = fields.text(entry.get("method"), "method")
    laws = tuple(name for name, _ in fields.texts(entry.get("laws"), "laws"))
    return Form(
        label,
        place,
        operands,
        call,
        value,
        gradient,
        in_place,
        method,
        view,
        derivative,
        saves,
        laws,
    )


def _gradient(
    located: Located, operands: Mapping[str, Operand], names: frozenset[str], fields: Fields
) -> dict[str, str]:
    """A formula for each operand; a list of operands means the derivatives of `value`."""
    if isinstance(located.value, list):
        derived = fields.texts(located, "gradient")
        return {name: "" for name, _ in derived if name in operands}
    return {
        name: _formula(formula, f"the gradient of {name}", names, fields)
        for name, formula in fields.any_mapping(located, "gradient").items()
        if name in operands
    }


def _saves(
    located: Located | None, names: frozenset[str], known: Collection[str], fields: Fields
) -> tuple[str, ...] | None:
    """What a backward pass needs, of the operands that this form has and of its result."""
    if located is None:
        return None
    saved = fields.texts(located, "saves")
    for name, place in saved:
        if name not in known:
            what = f"expected saves to name operands, or `out`, found {name!r}"
            fields.refuse(place, what, nearest(name, known))
    return tuple(name for name, _ in saved if name in names)


def _parsed(text: str) -> ast.AST:
    """The tree of a call; empty if it is not a call, which the language checker reports."""
    try:
        return ast.parse(text[:MAX_TEXT])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _formula(located: Located, what: str, names: frozenset[str], fields: Fields) -> str:
    if isinstance(located.value, bool | int | float):
        return repr(located.value)
    text = fields.text(located, what)
    fault = fault_of(text, names) if text else ""
    if fault:
        fields.refuse(located.place, f"{what} is not a formula: {fault}")
    return text


def with_shapes(form: Form, shapes: Mapping[str, tuple[int, ...]], label: str) -> Form:
    """A form with its sampled operands in other shapes."""
    changed = {
        name: replace(
            operand,
            values=_sampled(
                shapes[name],
                operand.low,
                operand.high,
                operand.avoid,
                seed,
                np.iscomplexobj(operand.values),
            ),
        )
        if name in shapes
        else operand
        for seed, (name, operand) in enumerate(form.operands.items())
    }
    return replace(form, operands=changed, label=label)


def _sampled(
    shape: tuple[int, ...],
    low: float,
    high: float,
    avoid: tuple[float, ...],
    seed: int,
    is_complex: bool,
) -> Any:
    """As `sample`; complex values have samples of their own as their imaginary parts."""
    values = sample(shape, low, high, avoid, seed)
    return values + 1j * sample(shape, low, high, avoid, seed + 7) if is_complex else values
