"""Plain values: how observed and expected values are written, in memory and as JSON.

None, True, False, "text"        themselves
3, 2.5                           numbers; {"number": "nan" | "inf" | "-inf"} where JSON has none
{"complex": [re, im]}            a complex number
{"list": [...]}, {"tuple": [...]}, {"dict": [[key, value], ...]}
{"tensor": {"dtype": "float32", "shape": [2], "values": [1.0, 2.0]}}   row-major, flat;
                                 "shape" is None if the engine's tensors are single numbers
{"dtype": "float32"}, {"node": "MulBackward0"}, {"object": "type name"}
{"either": [...]}                expected only: any one of these
{"pair": [a, b]}                 observed only: both sides of a comparison
"""

from __future__ import annotations

import math
from typing import Any

Plain = Any


def plain_number(value: float) -> Plain:
    """A float as a plain value; what JSON cannot say becomes {"number": ...}."""
    if value - value == 0.0:
        return value
    if math.isnan(value):
        return {"number": "nan"}
    return {"number": "inf" if value > 0 else "-inf"}


def number_of(value: Plain) -> float | int | complex | None:
    """The number that a plain value represents, or None if it is not a number (bool is not)."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if isinstance(value, dict):
        if "number" in value:
            return float(value["number"])
        if "complex" in value:
            return complex(*map(_part, value["complex"]))
    return None


def _part(value: Plain) -> float:
    """The real or imaginary part of a complex number."""
    number = number_of(value)
    if number is None or isinstance(number, complex):
        raise ValueError(f"{value!r} is no part of a complex number")
    return float(number)


def show(value: Plain, limit: int = 300) -> str:
    """A plain value as a reader would write it, cut after `limit` characters."""
    try:
        text = _show(value)
    except (
        TypeError,
        ValueError,
        KeyError,
        AttributeError,
        RecursionError,
    ):  # it is not a plain value
        text = f"<{type(value).__name__}, not a plain value>"
    return text if len(text) <= limit else text[: limit - 3] + "..."


def _show(value: Plain) -> str:
    if isinstance(value, dict) and len(value) == 1:
        kind, content = next(iter(value.items()))
        if kind == "number":
            return str(content)
        if kind == "complex":
            return _show_complex(content)
        if kind == "list":
            return f"[{', '.join(map(_show, content))}]"
        if kind == "tuple":
            inner = ", ".join(map(_show, content))
            return f"({inner},)" if len(content) == 1 else f"({inner})"
        if kind == "dict":
            return "{" + ", ".join(f"{_show(key)}: {_show(item)}" for key, item in content) + "}"
        if kind == "tensor":
            return _show_tensor(content)
        if kind == "either":
            return " or ".join(map(_show, content))
        if kind == "pair":
            return " and ".join(map(_show, content))
        if kind in ("dtype", "node", "object"):
            return f"<{kind} {content}>" if kind != "dtype" else str(content)
    return repr(value)


def _show_complex(content: Any) -> str:
    real, imaginary = content
    return f"{real}{'' if str(imaginary).startswith('-') else '+'}{imaginary}j"


def _show_tensor(content: Any) -> str:
    values = content.get("values", [])
    shape = content.get("shape", [])
    shown = [
        repr(item)
        if isinstance(item, float)
        else _show_complex(item)
        if isinstance(item, list)
        else _show(item)
        for item in values[:64]
    ]
    more = "" if len(values) <= 64 else f", ... {len(values)} values"
    if shape is None:
        return f"tensor({', '.join(shown)})"
    return f"tensor([{', '.join(shown)}{more}], shape={tuple(shape)}, dtype={content.get('dtype')})"
