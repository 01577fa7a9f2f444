"""Which keywords a call may give: words of the vocabulary, and the parameters of the program's own
functions. It makes no difference whether they are named or unpacked from a dict."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from .syntax import bound_names


@dataclass(frozen=True)
class Signature:
    """The keywords that a function of the program takes."""

    names: frozenset[str] = frozenset()
    any: bool = False

    def takes(self, name: str) -> bool:
        return self.any or name in self.names


def own_functions(body: list[ast.stmt]) -> Mapping[str, Signature]:
    """The functions that the statements of one scope define, by their names.

    Only names that are bound exactly once are included: others could refer to a function of the
    engine, whose keywords are words of the vocabulary.
    """
    found: dict[str, Signature] = {}
    bound: set[str] = set()
    pending = list(body)
    while pending:
        statement = pending.pop()
        if isinstance(statement, ast.With | ast.For | ast.If):
            inner = [*statement.body, *getattr(statement, "orelse", ())]
            pending += inner
            names = bound_names([statement]) - bound_names(inner)
        else:
            names = bound_names([statement])
        defined = _definition(statement)
        if defined is not None and not names & bound:
            found[defined[0]] = _signature(defined[1])
        for name in names & bound:
            found.pop(name, None)
        bound |= names
    return found


def _definition(statement: ast.stmt) -> tuple[str, ast.arguments] | None:
    """The name and parameters of the function that a statement defines, or None."""
    if isinstance(statement, ast.FunctionDef) and not statement.decorator_list:
        return statement.name, statement.args
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda):
        (target, *others) = statement.targets
        if isinstance(target, ast.Name) and not others:
            return target.id, statement.value.args
    return None


def _signature(arguments: ast.arguments) -> Signature:
    names = frozenset(item.arg for item in (*arguments.args, *arguments.kwonlyargs))
    return Signature(names, arguments.kwarg is not None)


def unpacked_names(value: ast.expr) -> list[tuple[ast.expr, str]] | None:
    """The keywords that `**value` gives, each with its node; None unless all are written out."""
    if not isinstance(value, ast.Dict):
        return None
    names: list[tuple[ast.expr, str]] = []
    for key in value.keys:
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
            return None
        names.append((key, key.value))
    return names


def positional(call: ast.Call) -> list[ast.expr]:
    """The positional arguments of a call, including those unpacked from a literal list."""
    given: list[ast.expr] = []
    for argument in call.args:
        unpacked = argument.value if isinstance(argument, ast.Starred) else None
        if isinstance(unpacked, ast.List | ast.Tuple):
            given += unpacked.elts
        else:
            given.append(argument)
    return given
