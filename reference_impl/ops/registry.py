"""What users can call: functions of the module and methods of the tensor, by name."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from ..dtypes import BY_NUMPY
from ..errors import in_place_dtype
from ..mode import mode
from ..op import Op
from ..tensor import Tensor

__all__ = ["FUNCTIONS", "LINALG", "METHODS", "SPECIAL", "expose", "function", "method", "public"]

FUNCTIONS: dict[str, Callable[..., Any]] = {}
METHODS: dict[str, Callable[..., Any]] = {}
LINALG: dict[str, Any] = {}
SPECIAL: dict[str, Any] = {}


def with_out(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A function that also writes into ``out=``.

    Raises:
        RuntimeError: grad mode is on and an operand or ``out`` requires grad, or the dtype cannot
            hold the result.
    """

    @functools.wraps(fn)
    def run(*args: Any, out: Any = None, **kwargs: Any) -> Any:
        if out is None:
            return fn(*args, **kwargs)
        if mode.grad and any(isinstance(a, Tensor) and a.requires_grad for a in (*args, out)):
            raise RuntimeError(
                f"{fn.__name__}(): functions with out=... arguments don't support automatic "
                "differentiation, but one of the arguments requires grad. Leave out= away, or use "
                "no_grad()."
            )
        result = fn(*args, **kwargs)
        made, held = BY_NUMPY[result._data.dtype], BY_NUMPY[out._data.dtype]
        if made.category > held.category:
            raise in_place_dtype(fn.__name__, held, made)
        if out._data.shape == result._data.shape:
            out._data[...] = result._data
        else:
            out._data = result._data.astype(out._data.dtype)
        out._vc[0] += 1
        return out

    return run


F = TypeVar("F", bound=Callable[..., Any])


def public(*names: str) -> Callable[[F], F]:
    """Make a function callable as ``torch.NAME(x)`` and ``x.NAME()``."""

    def register(fn: F) -> F:
        for name in names or (fn.__name__,):
            FUNCTIONS[name] = with_out(fn)
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
        FUNCTIONS[name] = with_out(row.apply)
        METHODS[name] = row.apply
        if inplace:
            METHODS[name + "_"] = row.inplace
            FUNCTIONS[name + "_"] = row.inplace
