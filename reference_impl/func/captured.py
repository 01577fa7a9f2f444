"""What a function refers to without being given it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import CodeType, FunctionType, MethodType
from typing import Any

from ..tensor.tensor import Tensor

__all__ = ["captured_by"]

OWN = __name__.partition(".func.")[0]


def captured_by(func: Any) -> dict[int, Any]:
    """The version counters, by their ids, of the tensors that a function finds in its closure, its
    defaults and its module, itself or through other functions. Modules of parameters are left out:
    their buffers may be written."""
    counters: dict[int, Any] = {}
    seen: set[int] = set()
    stack = [func]
    while stack:
        value = stack.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Tensor):
            counters[id(value._vc)] = value._vc
        elif isinstance(value, FunctionType):
            stack.extend(referred_to(value))
        elif isinstance(value, MethodType):
            stack.append(value.__func__)
        elif isinstance(value, partial):
            stack += [value.func, *value.args, *value.keywords.values()]
        elif type(value) in (list, tuple):
            stack.extend(value)
        elif type(value) is dict:
            stack.extend(value.values())
    return counters


def referred_to(function: FunctionType) -> Iterator[Any]:
    """Tensors, containers and functions that the code of a function can name."""
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    if str(function.__module__).startswith(OWN):
        return
    for name in names_in(function.__code__):
        found = function.__globals__.get(name)
        if isinstance(found, (Tensor, FunctionType)):
            yield found


def names_in(code: CodeType) -> Iterator[str]:
    """The names that code looks up in its module, with the functions inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)
