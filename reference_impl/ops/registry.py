"""What users can call: functions of the module and methods of the tensor, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..op import Op

__all__ = ["FUNCTIONS", "METHODS", "expose", "function", "method", "public"]

FUNCTIONS: dict[str, Callable[..., Any]] = {}
METHODS: dict[str, Callable[..., Any]] = {}

F = TypeVar("F", bound=Callable[..., Any])


def public(*names: str) -> Callable[[F], F]:
    """Make a function callable as ``torch.NAME(x)`` and ``x.NAME()``."""

    def register(fn: F) -> F:
        for name in names or (fn.__name__,):
            FUNCTIONS[name] = fn
            METHODS[name] = fn
        return fn

    return register


def function(*names: str) -> Callable[[F], F]:
    """Make a function callable as ``torch.NAME(x)`` only."""

    def register(fn: F) -> F:
        for name in names or (fn.__name__,):
            FUNCTIONS[name] = fn
        return fn

    return register


def method(*names: str) -> Callable[[F], F]:
    """Make a function callable as ``x.NAME()`` only."""

    def register(fn: F) -> F:
        for name in names or (fn.__name__,):
            METHODS[name] = fn
        return fn

    return register


def expose(*rows: Op, inplace: bool = True, **aliases: Op) -> None:
    """Make rows callable under their own names, and in place with an underscore."""
    for name, row in [*((r.row.name, r) for r in rows), *aliases.items()]:
        FUNCTIONS[name] = row.apply
        METHODS[name] = row.apply
        if inplace:
            METHODS[name + "_"] = row.inplace
            FUNCTIONS[name + "_"] = row.inplace
