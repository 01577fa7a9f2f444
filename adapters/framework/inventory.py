"""What names a module has, for `gradspec new-adapter`.

With `--python` this file runs in the engine's own interpreter, where gradspec is not installed: it uses the
standard library alone. As a script it reads `{"module": NAME, "words": [...], "members": [...]}` and
writes the inventory, or `{"error": WHY}`.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import pkgutil
import sys
import types
from typing import Any

USUAL = ("Tensor", "Variable", "Value", "Scalar", "Var", "Array", "ndarray")
FEW = 4
"""A class with fewer methods and attributes of a tensor is not considered one."""
OPERATORS = frozenset({"__add__", "__sub__", "__mul__", "__truediv__", "__neg__", "__matmul__"})
ARRAYS = ("data", "array", "value", "values")
"""Attributes that may hold a tensor's elements, if it has no `numpy()`."""
_STATIC = (staticmethod, classmethod, types.ClassMethodDescriptorType)


def inventory(module: Any, words: list[str], members: list[str]) -> dict[str, Any]:
    """The names of a module: which `words` it has, its other public names, its tensor's class, and what
    that has. `members` are names of methods and attributes by which a tensor is known. A package that
    has neither is left for the module in it that has a tensor's class; `module` names the one chosen."""
    module = home(module, words, set(members))
    name, kind = tensor_type(module, set(members))
    sample = sample_of(module, kind)
    own = public(kind) | set(getattr(sample, "__dict__", {})) if kind else set()
    return {
        "module": module.__name__,
        "present": [word for word in words if reach(module, word) is not None],
        "public": sorted(found for found in public(module) if not _is_module(module, found)),
        "tensor": name,
        "scalar": is_scalar(kind),
        "members": sorted(own),
        "callable": sorted(found for found in own if callable(getattr(kind, found, None))),
        "static": sorted(found for found in own if is_static(kind, found)),
        "functions": sorted(found for found in public(module) if is_function(module, found)),
        "by_axis": sorted(word for word in words if takes_axis(reach(module, word))),
        "array": next(
            (
                found
                for found in ARRAYS
                if found in own and not callable(getattr(kind, found, None))
            ),
            "",
        ),
        "numbers": refusal_of_numbers(sample),
    }


def home(module: Any, words: list[str], members: set[str]) -> Any:
    """The module itself, or if it has no tensor's class and none of the words, the first of its
    modules that has such a class."""
    if tensor_type(module, members)[1] or any(reach(module, word) for word in words):
        return module
    for found in pkgutil.iter_modules(getattr(module, "__path__", ())):
        try:
            part = importlib.import_module(f"{module.__name__}.{found.name}")
        except Exception:  # one that needs what is not installed
            continue
        if tensor_type(part, members)[1]:
            return part
    return module


def tensor_type(module: Any, members: set[str]) -> tuple[str, Any]:
    """The module's tensor type and its name there: by one of the usual names, or else the class of
    its own that has the most methods, attributes and operators of a tensor, `FEW` at least."""
    for name in USUAL:
        if isinstance(found := getattr(module, name, None), type):
            return name, found
    package = module.__name__.split(".")[0]
    own = {
        name: kind
        for name, kind in vars(module).items()
        if isinstance(kind, type) and kind.__module__.split(".")[0] == package
    }
    known = members | OPERATORS
    best = max(own, key=lambda name: len(set(dir(own[name])) & known), default="")
    if best and len(set(dir(own[best])) & known) >= FEW:
        return best, own[best]
    made = sample_of(module, None)
    kind = type(made)
    return "", None if made is None or kind.__module__ == "builtins" else kind


def sample_of(module: Any, kind: Any) -> Any:
    """A tensor, to see the attributes that are set when one is made; None if none can be made."""
    for make in (getattr(module, "tensor", None), kind):
        try:
            if callable(make):
                return make([1.0])
        except Exception:  # the engine makes its tensors in another way
            continue
    return None


def is_function(module: Any, name: str) -> bool:
    """Whether a name is a function's."""
    found = getattr(module, name, None)
    return callable(found) and not isinstance(found, type)


def takes_axis(function: Any) -> bool:
    """Whether a function calls a dimension `axis`, and not `dim`."""
    try:
        names = set(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # no function, or one that does not tell
        return False
    return "axis" in names and "dim" not in names


def refusal_of_numbers(sample: Any) -> str:
    """What the engine says of a tensor times a Python number; empty if it accepts one."""
    if sample is None:
        return ""
    try:
        sample * 2
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def is_scalar(kind: Any) -> bool:
    """Whether a tensor's class holds a single number, in `data`."""
    try:
        return isinstance(kind(0.5).data, float)
    except Exception:  # it is made, or read, in another way
        return False


def is_static(kind: Any, name: str) -> bool:
    """Whether a class can be asked for this without a tensor: `Tensor.zeros(3)`."""
    return isinstance(inspect.getattr_static(kind, name, None), _STATIC)


def public(owner: Any) -> set[str]:
    return {name for name in dir(owner) if not name.startswith("_")}


def reach(module: Any, dotted: str) -> Any:
    for part in dotted.split("."):
        module = getattr(module, part, None)
    return module


def _is_module(owner: Any, name: str) -> bool:
    """Whether a name is a module, which the engine may import for itself."""
    found = getattr(owner, name, None)
    return hasattr(found, "__path__") or type(found).__name__ == "module"


def main() -> None:
    order = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the engine prints while it is imported is no answer
    sys.path[0] = ""  # the current folder, in the place of this file's
    found: dict[str, Any]
    try:
        module = importlib.import_module(order["module"])
        found = inventory(module, order["words"], order["members"])
    except BaseException as error:  # an engine that exits when it is imported, too
        found = {"error": f"{type(error).__name__}: {error}"}
    json.dump(found, answers)
    answers.flush()


if __name__ == "__main__":
    main()
