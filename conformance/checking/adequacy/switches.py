"""Switches in the rows of the reference engine: each kernel and each rule can be made faulty, one at a
time, without importing the engine anew. Only a faulty engine has them (`operation_faults.py`)."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

CHANGES = ("value", "gradient", "second order")
OFFSET = 0.25

active: tuple[str, str] = ("", "")
"""The name of the switch that is on, and its change."""
used: set[tuple[str, str]] = set()
"""Switches through which something went since this was last cleared, each with a change that it
would have made."""


def turn(name: str, change: str) -> None:
    """Switch one fault on, and the one before off."""
    global active
    active = (name, change)


def switched(
    signature: str, kernel: Callable[..., Any], rules: dict[str, Callable[..., Any]]
) -> tuple[Callable[..., Any], dict[str, Callable[..., Any]]]:
    """The kernel and the rules of one row, with a switch in each."""
    name = signature.partition("(")[0]
    return (
        _switched(name, kernel, _kernel_change),
        {
            operand: _switched(f"{name}, {operand}", rules[operand], _rule_change)
            for operand in rules
        },
    )


def _switched(name: str, function: Callable[..., Any], change: Callable[..., Any]) -> Any:
    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        return change(name, function(*args, **kwargs))

    return run


def _kernel_change(name: str, result: Any) -> Any:
    if _is_floating(result):
        used.add((name, "value"))
    return _off(result) if active == (name, "value") else result


def _rule_change(name: str, result: Any) -> Any:
    used.add((name, "gradient"))
    if active == (name, "gradient"):
        return _off(result)
    if getattr(result, "requires_grad", False):
        used.add((name, "second order"))
        if active == (name, "second order"):
            return result.detach()
    return result


def _off(result: Any) -> Any:
    """Floating or complex results, off by a constant; the first one where there are several."""
    if isinstance(result, tuple):
        return (_off(result[0]), *result[1:])
    if isinstance(result, list):
        return [_off(result[0]), *result[1:]]
    return result + OFFSET if _is_floating(result) else result


def _is_floating(result: Any) -> bool:
    if isinstance(result, tuple | list):
        return _is_floating(result[0])
    dtype = str(getattr(result, "dtype", ""))
    return "float" in dtype or "complex" in dtype or isinstance(result, float | complex)
