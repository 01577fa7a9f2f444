"""Modules that are one function with options, made from a line each."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from .. import errors
from ..naming import named, signature_of
from .module import Module

__all__ = ["module_of"]

NEEDED = object()


def quiet_inplace(module: Any, shown: str) -> str:
    """What is shown, and ``inplace`` where it is on."""
    if not getattr(module, "inplace", False):
        return shown
    return f"{shown}, inplace=True" if shown else "inplace=True"


def module_of(
    name: str,
    doc: str,
    fn: Callable[..., Any],
    *options: Any,
    show: str | None = None,
    inputs: int = 1,
) -> Any:
    """A module around a function.

    Args:
        name: the name of the class.
        doc: what it computes.
        fn: called with the inputs, then the options by name.
        options: ``(name, default)``, or a name alone where there is no default; each becomes an
            attribute.
        show: how it prints between the parentheses, a format string; all options where not given.
        inputs: how many inputs it takes.
    """
    names = [o if isinstance(o, str) else o[0] for o in options]
    defaults = {o[0]: o[1] for o in options if not isinstance(o, str)}
    told = ", ".join(f"{n}={{{n}!r}}" for n in names if n != "inplace") if show is None else show

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        Module.__init__(self)
        if len(args) > len(names):
            raise errors.wrong_type(
                f"{name}() takes at most {len(names)} arguments, got {len(args)}"
            )
        given = dict(zip(names, args, strict=False))
        unknown = [k for k in kwargs if k not in names or k in given]
        missing = [n for n in names if n not in {**defaults, **given, **kwargs}]
        if unknown or missing:
            raise errors.wrong_type(
                f"{name}(): arguments {missing or unknown} are missing or unexpected"
            )
        for option, value in {**defaults, **given, **kwargs}.items():
            setattr(self, option, value)

    def forward(self: Any, *args: Any) -> Any:
        if len(args) != inputs:
            raise errors.wrong_type(f"{name}.forward() takes {inputs} inputs, got {len(args)}")
        return fn(*args, **{n: getattr(self, n) for n in names})

    def extra_repr(self: Any) -> str:
        return quiet_inplace(self, told.format(**{n: getattr(self, n) for n in names}))

    taken = tuple(inspect.signature(fn).parameters)[:inputs]
    made: Any = init
    made.__signature__ = signature_of("self", *options)
    made = forward
    made.__signature__ = signature_of("self", *taken)
    namespace = {
        "__init__": named(init, "__init__"),
        "forward": forward,
        "extra_repr": extra_repr,
        "__doc__": doc,
    }
    return type(name, (Module,), namespace)
