"""Classes print under the names that users of the field know, and are pickled under their own.

A class whose ``__module__`` names another package cannot be found there when it is unpickled, so
objects of such classes are pickled by the place where this package exports the class.
"""

from __future__ import annotations

import copyreg
import importlib
from collections.abc import Mapping
from typing import Any

__all__ = ["known_as", "present"]

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
