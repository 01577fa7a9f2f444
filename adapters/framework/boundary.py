"""What a program may reach of an engine that runs in a Python process.

A specification is data, and its vocabulary is part of it. A word names something in the engine's
own namespace: it is looked up part by part, never through a module of another package (an engine's
module has `os`, `sys` and `np` among its names as soon as it imports them) and never by a private
name. Attributes of frames, code objects, generators and modules are never read on a program's
behalf. This file needs nothing but the standard library: the engine's own interpreter runs it.
"""

from __future__ import annotations

import functools
import importlib
import types
from collections.abc import Collection, Sequence
from typing import Any

from .engine import Unsupported

_INSIDES = (
    types.FrameType, types.CodeType, types.TracebackType, types.ModuleType, types.CellType,
    types.CoroutineType, types.AsyncGeneratorType,
)  # fmt: skip
"""Objects of the interpreter of which a program may read no attribute, and which none may give."""
_FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType)
_DESCRIPTORS = (
    types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType,
    types.GetSetDescriptorType, types.MemberDescriptorType,
)  # fmt: skip
_GENERATOR = frozenset({"send", "close", "throw"})
_PLAIN = (bool, int, float, complex, str, type(None))


def package_of(module: Any) -> str:
    """The package that an engine's names belong to. `module` may also be a class or an object that
    serves as a namespace."""
    home = (
        getattr(module, "__name__", "") if isinstance(module, types.ModuleType) else home_of(module)
    )
    return str(home).partition(".")[0]


def resolve_in(module: Any, packages: Collection[str], word: str) -> Any:
    """The object of a word in the namespace of an engine of these packages. Raises `Unsupported` if
    it is missing, or does not belong to the engine."""
    found = module
    for part in word.split("."):
        if part.startswith("_"):
            raise Unsupported(f"{word}: {part} is a private name")
        if isinstance(found, _FUNCTIONS):
            raise Unsupported(word)
        try:
            found = getattr(found, part)
        except AttributeError:
            found = imported(found, part)
            if found is None:
                raise Unsupported(word) from None
        if isinstance(found, types.ModuleType) and package_of(found) not in packages:
            raise Unsupported(f"{word}: the module {found.__name__} is not the engine's own")
    if isinstance(found, _INSIDES):
        raise Unsupported(f"{word}: a {type(found).__name__} is not a word")
    return found


def imported(package: Any, name: str) -> types.ModuleType | None:
    """A module of a package that the package has not imported itself, as a user would; None if there is none."""
    if not isinstance(package, types.ModuleType) or not hasattr(package, "__path__"):
        return None
    try:
        return importlib.import_module(f"{package.__name__}.{name}")
    except Exception:  # whatever the module stumbles over, the engine does not offer it
        return None


def belongs(found: Any, packages: Collection[str]) -> bool:
    """Whether the object of a word is plain data or comes from the engine's own packages."""
    return isinstance(found, _PLAIN) or home_of(found).partition(".")[0] in packages


def home_of(found: Any) -> str:
    """The module that an object comes from, if known: that of a function or class, or else that of
    its type."""
    if isinstance(found, functools.partial):
        return home_of(found.func)
    if isinstance(found, types.MethodType):
        return home_of(found.__func__)
    named = getattr(found, "__module__", None) if isinstance(found, (*_FUNCTIONS, type)) else None
    if isinstance(named, str):
        return named
    if isinstance(found, _DESCRIPTORS):  # a method taken from its class
        return str(found.__objclass__.__module__)
    if isinstance(found, types.BuiltinFunctionType):
        owner = found.__self__
        if isinstance(owner, types.ModuleType):
            return owner.__name__
        found = owner if isinstance(owner, type) else type(owner)
        return str(found.__module__)
    return str(type(found).__module__)


def check_read(owner: Any, name: str) -> None:
    """Raise `Unsupported` where an attribute would lead from a program into the interpreter."""
    inside = isinstance(owner, _INSIDES)
    inside = inside or (isinstance(owner, types.GeneratorType) and name not in _GENERATOR)
    if inside or name.startswith("__") or (name == "mro" and isinstance(owner, type)):
        raise Unsupported(f"{type(owner).__name__}.{name} gives access to the interpreter")


def check_found(found: Any, owner: Any, name: str) -> Any:
    """The value of an attribute, unless it is one of the interpreter's own objects."""
    if isinstance(found, _INSIDES):
        raise Unsupported(f"{type(owner).__name__}.{name} is a {type(found).__name__}")
    return found


def distrusted(strangers: Sequence[str]) -> str:
    """Why a program is not run that uses names outside gradspec's own vocabulary."""
    names = ", ".join(strangers[:3]) + (", ..." if len(strangers) > 3 else "")
    return f"{names}: not in gradspec's own vocabulary, and needs --trust-words"
