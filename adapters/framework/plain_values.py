"""Numbers, dtypes and names as plain values (see gradspec.spec.values)."""

from __future__ import annotations

from typing import Any

from .engine import Plain

PLAIN_TYPES = frozenset({float, int, bool, complex})
INT = frozenset({int})


def exactly(value: Any) -> Any:
    """A number of a type derived from Python's as one of Python's; anything else unchanged."""
    if type(value) in PLAIN_TYPES:
        return value
    for kind, zero in ((int, 0), (float, 0.0), (complex, 0j)):
        if isinstance(value, kind):
            return kind.__add__(value, zero)  # type: ignore[operator]
    return value


def is_int(value: Any) -> bool:
    return type(value) is int


def number_plain(value: float) -> Plain:
    if value - value == 0.0:
        return value
    return {"number": "nan" if value != value else "inf" if value > 0 else "-inf"}


def numpy_dtype_name(value: Any) -> str:
    """The name of a NumPy dtype or scalar class, which many engines use as their dtypes; else ""."""
    kind = value if isinstance(value, type) else type(value)
    if kind.__module__.split(".")[0] != "numpy":
        return ""
    if isinstance(value, type) and hasattr(value, "dtype"):
        return value.__name__.rstrip("_")
    return (
        str(getattr(value, "name", ""))
        if hasattr(value, "itemsize") and hasattr(value, "kind")
        else ""
    )


def kind_name(value: Any) -> str:
    """The name of a value's type."""
    return type(value).__name__
