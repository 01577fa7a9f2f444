"""Names that no vocabulary may contain, because they lead from a program into the interpreter
that runs it.

A word of a program becomes plain attribute access, so these names are rejected when a vocabulary is
read. They are the members of frames, code objects, generators, functions, tracebacks, modules,
types and exceptions that lead on to other objects; text formatting, which reads attributes; and the
builtin functions that run code or open files, which an engine's module may have under their names.
"""

from __future__ import annotations

import types
from collections.abc import Iterator

_PREFIXES = ("f_", "co_", "gi_", "cr_", "ag_", "tb_", "func_", "im_")
_KINDS: tuple[type, ...] = (
    types.FrameType, types.CodeType, types.GeneratorType, types.CoroutineType,
    types.AsyncGeneratorType, types.FunctionType, types.MethodType, types.BuiltinFunctionType,
    types.TracebackType, types.ModuleType, types.CellType, property, type, BaseException,
)  # fmt: skip
_HARMLESS = frozenset({"send", "close", "throw", "clear", "replace", "args"})
"""Members of these kinds that lead nowhere: generators of a program's own are sent to and closed."""
_BUILTINS = frozenset({
    "breakpoint", "builtins", "compile", "delattr", "eval", "exec", "getattr", "globals",
    "import_module", "input", "locals", "open", "setattr", "vars",
})  # fmt: skip

_GROUPS = frozenset({"func"})
"""Members that are safe as the group that a word belongs to, as in func.grad: a group is looked up in
the engine's own module, where no function or method is reached through it."""


def unsafe_part(name: str, alone: bool) -> str:
    """The part of a name that no vocabulary may contain, or the empty string.

    `alone` is whether the name has no owner, as a function or a class.
    """
    first, _, rest = name.partition(".")
    if alone and rest and first in _GROUPS:
        name = rest
    for part in name.split("."):
        if "__" in part or part.startswith(_PREFIXES) or part in _MEMBERS:
            return part
        if alone and part in _BUILTINS:
            return part
    return ""


def _members() -> Iterator[str]:
    for kind in _KINDS:
        for name in dir(kind):
            if not name.startswith("_"):
                yield name


_MEMBERS = {"format", "format_map", "func", *_members()} - _HARMLESS
