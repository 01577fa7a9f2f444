"""What the checks ask of a program: a digest that tells two programs apart, and dead statements."""

from __future__ import annotations

import ast
import hashlib
import marshal
from collections.abc import Iterator
from types import CodeType
from typing import NamedTuple

from .syntax import REPORTING, nodes_of

_EFFECTS = (ast.Call, ast.Subscript, ast.Attribute, ast.Yield)


class Facts(NamedTuple):
    """Facts about one lowered program. `dead` has a line and a sentence for each statement that
    nothing uses."""

    digest: str
    dead: tuple[tuple[int, str], ...]


def facts_of(tree: ast.Module, code: CodeType) -> Facts:
    """The facts about a lowered tree and what it is compiled to."""
    digest = hashlib.sha256(marshal.dumps(_without_places(code), 2)).hexdigest()
    return Facts(digest, tuple(_dead_statements(tree)))


def _without_places(code: CodeType) -> CodeType:
    """The same code, wherever its text is."""
    constants = tuple(
        _without_places(value) if isinstance(value, CodeType) else value for value in code.co_consts
    )
    return code.replace(co_filename="", co_firstlineno=1, co_linetable=b"", co_consts=constants)


def _dead_statements(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """What is assigned and never used, and what is computed without an effect.

    In a block that reports how it ended, running a statement is enough.
    """
    nodes = nodes_of(tree)
    dead = list(_unused(nodes))
    if not dead:
        return
    reported = {
        id(inner)
        for node in nodes
        if isinstance(node, ast.With) and _reports(node)
        for inner in ast.walk(node)
    }
    for node, message in dead:
        if id(node) not in reported:
            yield node.lineno, message


def _unused(nodes: list[ast.AST]) -> Iterator[tuple[ast.stmt, str]]:
    loaded = {
        node.id for node in nodes
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)
    }  # fmt: skip
    attributes = {
        id(each) for node in nodes if isinstance(node, ast.ClassDef) for each in node.body
    }
    for node in nodes:
        if isinstance(node, ast.Assign) and id(node) not in attributes:
            targets = [target for target in node.targets if isinstance(target, ast.Name)]
            dead = [target.id for target in targets if target.id not in loaded]
            if dead and len(targets) == len(node.targets):
                yield node, f"{dead[0]!r} is assigned and never used"
        elif isinstance(node, ast.Expr) and not isinstance(node.value, _EFFECTS):
            yield node, "the statement has no effect"


def _reports(block: ast.With) -> bool:
    call = block.items[0].context_expr
    return (
        isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in REPORTING
    )
