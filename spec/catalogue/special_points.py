"""What an entry of the catalogue says of special points, and of calls that are errors.

A kink is a point without a derivative, where the gradient is a convention. An edge is a point where
the value and the gradient follow from the operation: an infinity, the end of its domain, a zero.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..reading.fields import Fields, kind_of
from ..reading.yaml_reader import Located
from .samples import MAX_SAMPLES

MAX_VALUES = 4000
"""How many characters literal values may be written with."""


@dataclass(frozen=True)
class Point:
    """Operands at a special point of a form, with the gradient for a cotangent of ones.

    What is None follows from the formulas of the form. `second` are second derivatives, of the result
    by one operand twice, and is empty where they are not tested.
    """

    label: str
    form: str
    operands: Mapping[str, Any]
    gradient: Mapping[str, Any] | None
    value: Any = None
    second: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Refusal:
    """A call that must raise an error of one of these kinds."""

    label: str
    call: str
    kinds: tuple[str, ...]


def read_points(
    located: Located | None,
    which: str,
    forms: Sequence[str],
    operands: Collection[str],
    fields: Fields,
) -> tuple[Point, ...]:
    """The points of an entry by their labels; each problem is reported to `fields`."""
    points = []
    required = ["gradient"] if which == "at_kinks" else []
    for label, body in fields.any_mapping(located, which).items() if located else ():
        optional = ["form", "value", "gradient", *operands]
        optional += ["second"] if which == "edges" else []
        entry = fields.mapping(body, f"the point {label!r}", required, optional)
        default = forms[0] if forms else ""
        form = fields.choice(entry.pop("form", None), "form", forms, default)
        value = read_array(entry.pop("value"), fields) if "value" in entry else None
        gradient = _derivatives(entry.pop("gradient", None), "gradient", fields)
        second = _derivatives(entry.pop("second", None), "second", fields) or {}
        given = {name: read_array(item, fields) for name, item in entry.items()}
        if given and all(array is not None for array in given.values()):
            points.append(Point(label, form, given, gradient, value, second))
    return tuple(points)


def _derivatives(located: Located | None, which: str, fields: Fields) -> dict[str, Any] | None:
    if located is None:
        return None
    read = fields.any_mapping(located, which)
    found = {name: read_array(item, fields) for name, item in read.items()}
    return {name: array for name, array in found.items() if array is not None}


def read_refusals(located: Located | None, fields: Fields) -> tuple[Refusal, ...]:
    """The calls of an entry that must raise an error."""
    refusals = []
    for label, body in fields.any_mapping(located, "raises").items() if located else ():
        entry = fields.mapping(body, f"the error {label!r}", ["call", "kind"], [])
        call = fields.text(entry.get("call"), "call")
        if "kind" in entry and isinstance(entry["kind"].value, list):
            kinds = tuple(kind for kind, _ in fields.texts(entry["kind"], "kind"))
        else:
            kinds = (fields.text(entry.get("kind"), "kind"),)
        refusals.append(Refusal(label, call, kinds))
    return tuple(refusals)


def read_array(located: Located, fields: Fields) -> Any:
    """Literal values: a number or nested lists, as YAML or as text."""

    def plain(item: Located) -> Any:
        if isinstance(item.value, list):
            return [plain(inner) for inner in item.value]
        if isinstance(item.value, bool | int | float):
            return item.value
        raise TypeError(f"expected numbers, found {kind_of(item)}")

    def literal(text: str) -> Any:
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError) as error:
            raise ValueError("the text holds more than numbers in brackets") from error

    try:
        if isinstance(located.value, str) and len(located.value) > MAX_VALUES:
            raise ValueError(f"they take more than {MAX_VALUES} characters")
        value = literal(located.value) if isinstance(located.value, str) else plain(located)
        array = np.array(value)
        if array.size > MAX_SAMPLES:
            raise ValueError(f"they are more than {MAX_SAMPLES}")
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError) as error:
        fields.refuse(located.place, f"the values are not an array of numbers: {error}")
        return None
    if array.dtype.kind not in "bifc":
        fields.refuse(located.place, "the values are not an array of numbers")
        return None
    return array
