"""Functions and classes go by the names that users of the field know, and classes are pickled
under their own.

A function made in a factory would show the name it has there (``run``, ``apply``) in every
traceback; ``named`` gives it the operation's.

A class whose ``__module__`` names another package cannot be found there when it is unpickled, so
objects of such classes are pickled by the place where this package exports the class.
"""

from __future__ import annotations

import copyreg
import importlib
import inspect
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, TypeVar, cast

__all__ = [
    "cite", "copy_of", "first_named", "known_as", "named", "present",
    "renamed_parameters", "with_keyword", "with_out_parameter",
]  # fmt: skip

F = TypeVar("F", bound=Callable[..., Any])

HOMES: dict[type, tuple[str, str]] = {}
"""Of each class that has another name: the module of ours and the name to find it by."""


def known_as(cls: type, module: str, name: str | None = None) -> None:
    """Let a class print as ``module.name``."""
    cls.__module__ = module
    cls.__name__ = name or cls.__name__
    cls.__qualname__ = cls.__name__


def present(home: str, exported: Mapping[str, Any], names: Mapping[str, str]) -> None:
    """Let classes that the module ``home`` exports print as those of other modules.

    ``names`` holds for each such module the names of its classes, separated by spaces.
    """
    for module, classes in names.items():
        for name in classes.split():
            cls = exported[name]
            HOMES[cls] = home, name
            known_as(cls, module)
            cls.__reduce_ex__ = reduced


def reduced(self: Any, protocol: Any) -> Any:
    """How an object is pickled or copied: as usual, its class by where we export it."""
    parts = object.__reduce_ex__(self, max(2, int(protocol)))
    home = HOMES.get(type(self))
    if home is None or parts[0] is not copyreg.__newobj__:  # type: ignore[attr-defined]
        return parts
    return (empty, home, *parts[2:])


def empty(module: str, name: str) -> Any:
    """An object of a class, its attributes yet to come."""
    cls = getattr(importlib.import_module(module), name)
    return cls.__new__(cls)


def named(fn: F, name: str) -> F:
    """Give a function the name that its users know; tracebacks show it too."""
    fn.__name__ = fn.__qualname__ = name
    code = fn.__code__
    fn.__code__ = code.replace(co_name=name, co_qualname=name)
    return fn


def copy_of(fn: F, name: str) -> F:
    """A second function that does the same under a name of its own, without a frame in between."""
    made = cast(FunctionType, fn)
    other = FunctionType(made.__code__, made.__globals__, name, made.__defaults__, made.__closure__)
    other.__kwdefaults__ = made.__kwdefaults__
    other.__annotations__ = made.__annotations__
    other.__doc__ = made.__doc__
    other.__dict__.update(made.__dict__)
    return named(cast(F, other), name)


def cite(space: str, names: Mapping[str, Any]) -> None:
    """End docstrings with the page of PyTorch that has the rule: ``Source: torch.nn.Linear.``

    Args:
        space: where users find the names, such as ``"torch.nn"``.
        names: functions, classes and properties by name; the methods of a class have its page. What
            has no docstring, or has its page already, is left as it is.
    """
    for name, value in names.items():
        page = f"{space}.{name}"
        cite_page(page, value)
        if isinstance(value, type) and value.__module__.startswith(("torch", __package__)):
            for method_name, method in vars(value).items():
                if not method_name.startswith("_"):
                    cite_page(page, method)


def cite_page(page: str, value: Any) -> None:
    """End the docstring of a function, class or property of ours with its page."""
    if isinstance(value, (staticmethod, classmethod)):
        value = value.__func__
    if isinstance(value, property):
        cite_page(page, value.fget)
        value.__doc__ = value.fget.__doc__
        return
    text = value.__doc__ if isinstance(value, (FunctionType, type)) else None
    if text and "Source:" not in text and value.__module__.startswith(("torch", __package__)):
        value.__doc__ = f"{text.rstrip()}\n\n    Source: {page}."


def first_named(signature: inspect.Signature, name: str) -> inspect.Signature:
    """A signature whose first parameter has another name."""
    first, *others = signature.parameters.values()
    rest = [p for p in others if p.name != name]
    return signature.replace(parameters=[first.replace(name=name), *rest])


def renamed_parameters(fn: F, names: Mapping[str, str]) -> F:
    """A function with other names of parameters: a factory's, which serve several operations."""
    code = fn.__code__
    known = tuple(names.get(v, v) for v in code.co_varnames)
    fn.__annotations__ = {names.get(k, k): v for k, v in fn.__annotations__.items()}
    fn.__code__ = code.replace(co_varnames=known)
    return fn


def with_out_parameter(signature: inspect.Signature) -> inspect.Signature:
    """A signature that also takes ``out=``."""
    return with_keyword(signature, "out", None)


def with_keyword(signature: inspect.Signature, name: str, default: Any) -> inspect.Signature:
    """A signature that takes one more keyword."""
    added = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
    return signature.replace(parameters=[*signature.parameters.values(), added])
