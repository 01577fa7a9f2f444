"""The Python form of a program: one function that any Python engine can run.

    def program(observe, ended, recorded, trace, traced): ...

Vocabulary words are globals of the function (a dot in a name becomes two underscores), so running
costs no more than the engine's own calls. In the mediated form attributes and methods go through
`get_attribute`, `set_attribute`, `delete_attribute` and `get_method`, for engines whose names
differ from PyTorch's. Names of its own start with an underscore, which no program's name does.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any, TypeAlias

from .syntax import (
    TOP,
    Numbers,
    Position,
    bare_node,
    bound_names,
    has_positions,
    own_nodes,
    position_below,
    position_in,
)

Statements: TypeAlias = ast.stmt | list[ast.stmt]
PARAMETERS = ("observe", "ended", "recorded", "run_in_thread", "trace", "traced")


def global_name(word: str) -> str:
    """The name of a vocabulary word among the function's globals."""
    return word.replace(".", "__")


def compile_program(tree: ast.Module, file: str, mediated: bool) -> CodeType:
    """Compile the lowered program; its lines are those of `tree`."""
    module = _function(tree, mediated)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # such as `x is 5`: the program shows it
        code = compile(module, file, "exec", dont_inherit=True)
    return next(constant for constant in code.co_consts if isinstance(constant, CodeType))


def program_source(tree: ast.Module, mediated: bool) -> tuple[str, list[int]]:
    """The function as text, and for each line of that text the line of the YAML file."""
    module = _function(tree, mediated)
    source = ast.unparse(module)
    lines = [0] * (source.count("\n") + 2)
    written = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    original = [node for node in ast.walk(module) if isinstance(node, ast.stmt)]
    for new, old in zip(written, original, strict=True):
        lines[new.lineno] = old.lineno
    for index in range(1, len(lines)):
        lines[index] = lines[index] or lines[index - 1]
    return source, lines


def _function(tree: ast.Module, mediated: bool) -> ast.Module:
    first = tree.body[0] if tree.body else None
    around = position_in(first, TOP) if first else TOP
    body = PythonFormer(mediated).statements(tree.body)
    arguments = ast.arguments([], [ast.arg(name) for name in PARAMETERS], None, [], [], None, [])
    function = _made(ast.FunctionDef("program", arguments, body, [], None), around)
    return ast.Module([function], [])


def _made(node: Any, around: Position) -> Any:
    """A node made here, and those made for it, at the given position."""
    position_below(node, around)
    return node


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


class PythonFormer:
    """Rewrites the lowered tree into ordinary Python. The tree stays as it is, and shares with the
    result what is the same in both. A node without a position gets that of the node around it."""

    def __init__(self, mediated: bool) -> None:
        self.mediated = mediated
        self.threads = 0
        self.special: Mapping[type[ast.AST], Callable[[Any, Position], Any]] = {
            ast.With: self.block,
            ast.Name: self.name,
            ast.Constant: self.constant,
            Numbers: self.numbers,
        }
        if mediated:
            self.special = {
                **self.special,
                ast.Attribute: self.attribute,
                ast.Call: self.method,
                ast.Assign: self.assigned,
                ast.AugAssign: self.changed,
                ast.Delete: self.deleted,
            }

    def formed(self, node: Any, around: Position = TOP) -> Any:
        """A node's new form; of some statements a list."""
        special = self.special.get(type(node))
        return special(node, around) if special else self.copied(node, around)

    def copied(self, node: Any, around: Position) -> Any:
        """A node of the same kind, of the new forms of what is below it."""
        copied = bare_node(type(node))
        made = copied.__dict__
        made.update(node.__dict__)
        if "lineno" in node._attributes:
            around = position_in(node, around)
            if around is not node.__dict__:
                made.update(around)
        for name in node._fields:
            value = made.get(name)
            if type(value) is list:
                made[name] = self.listed(value, around)
            elif isinstance(value, ast.AST) and value._fields:  # not Load(), Add() and the like
                made[name] = self.formed(value, around)
        return copied

    def listed(self, items: list[Any], around: Position) -> list[Any]:
        formed: list[Any] = []
        for item in items:
            new = self.formed(item, around) if isinstance(item, ast.AST) else item
            if type(new) is list:
                formed += new
            else:
                formed.append(new)
        return formed

    def statements(self, body: list[ast.stmt], around: Position = TOP) -> list[ast.stmt]:
        return self.listed(body, around)

    def constant(self, node: ast.Constant, around: Position) -> ast.Constant:
        return node if "lineno" in node.__dict__ else self.copied(node, around)

    def numbers(self, node: Numbers, around: Position) -> Numbers:
        if not has_positions(node):
            position_below(node, around)
        return node

    def name(self, node: ast.Name, around: Position) -> ast.expr:
        if "lineno" in node.__dict__ and "." not in node.id:
            return node
        copied: ast.Name = self.copied(node, around)
        copied.id = global_name(node.id)
        return copied

    def block(self, node: ast.With, around: Position) -> Statements:
        call = node.items[0].context_expr
        name = (
            call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
        )
        if name in ("raises", "may_raise") and isinstance(call, ast.Call):
            return self.attempt(node, call.args[0], position_in(node, around))
        if name in ("warns", "quiet") and isinstance(call, ast.Call):
            return self.record(node, call.args[0], position_in(node, around))
        if name == "thread":
            return self.thread(node, position_in(node, around))
        return self.copied(node, around)  # type: ignore[no-any-return]

    def attempt(self, node: ast.With, index: ast.expr, around: Position) -> Statements:
        """try: body; except Exception as _error: ended(index, _error); else: ended(index, None)"""
        caught = ast.ExceptHandler(
            ast.Name("Exception", ast.Load()),
            "_error",
            [ast.Expr(_call("ended", index, ast.Name("_error", ast.Load())))],
        )
        otherwise = ast.Expr(_call("ended", index, ast.Constant(None)))
        body = self.statements(node.body, around)
        return _made(ast.Try(body, [caught], [otherwise], []), around)  # type: ignore[no-any-return]

    def record(self, node: ast.With, index: ast.expr, around: Position) -> Statements:
        """with recorded(index): body"""
        item = ast.withitem(_call("recorded", index), None)
        body = self.statements(node.body, around)
        return _made(ast.With([item], body, None), around)  # type: ignore[no-any-return]

    def thread(self, node: ast.With, around: Position) -> Statements:
        """The block as a nested function, whose assignments reach out of it, run in a thread."""
        self.threads += 1
        name = f"_thread_{self.threads}"
        assigned = sorted(bound_names(node.body) | _deleted_names(node.body))
        body = self.statements(node.body, around)
        inner: list[ast.stmt] = [ast.Nonlocal(assigned), *body] if assigned else body
        arguments = ast.arguments([], [], None, [], [], None, [])
        function = ast.FunctionDef(name, arguments, inner, [], None)
        run = ast.Expr(_call("run_in_thread", ast.Name(name, ast.Load())))
        result: list[ast.stmt] = []
        if assigned:  # `nonlocal` needs the names to be bound by the enclosing function itself
            result.append(
                ast.If(ast.Constant(False), [_assign_none(item) for item in assigned], [])
            )
        return [_made(statement, around) for statement in (*result, function, run)]

    # In the mediated form only:

    def attribute(self, node: ast.Attribute, around: Position) -> ast.expr:
        if not isinstance(node.ctx, ast.Load) or node.attr.startswith("__"):
            return self.copied(node, around)  # type: ignore[no-any-return]
        around = position_in(node, around)
        owner = self.formed(node.value, around)
        return _made(_call("get_attribute", owner, ast.Constant(node.attr)), around)  # type: ignore[no-any-return]

    def method(self, node: ast.Call, around: Position) -> ast.expr:
        function = node.func
        if not isinstance(function, ast.Attribute) or function.attr.startswith("__"):
            return self.copied(node, around)  # type: ignore[no-any-return]
        around = position_in(node, around)
        inner = position_in(function, around)
        owner = self.formed(function.value, inner)
        found = _made(_call("get_method", owner, ast.Constant(function.attr)), inner)
        call = ast.Call(found, self.listed(node.args, around), self.listed(node.keywords, around))
        return _made(call, around)  # type: ignore[no-any-return]

    def assigned(self, node: ast.Assign, around: Position) -> ast.stmt:
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, ast.Attribute):
            return self.copied(node, around)  # type: ignore[no-any-return]
        around = position_in(node, around)
        value, owner = self.formed(node.value, around), self.formed(target.value, around)
        call = _call("set_attribute", owner, ast.Constant(target.attr), value)
        return _made(ast.Expr(call), around)  # type: ignore[no-any-return]

    def changed(self, node: ast.AugAssign, around: Position) -> Statements:
        if not isinstance(node.target, ast.Attribute):
            return self.copied(node, around)  # type: ignore[no-any-return]
        around = position_in(node, around)
        owner, name = self.formed(node.target.value, around), ast.Constant(node.target.attr)
        own, held = ast.Name("_owner", ast.Load()), ast.Name("_held", ast.Load())
        keep = ast.Assign([ast.Name("_owner", ast.Store())], owner)
        read = ast.Assign([ast.Name("_held", ast.Store())], _call("get_attribute", own, name))
        value = self.formed(node.value, around)
        change = ast.AugAssign(ast.Name("_held", ast.Store()), node.op, value)
        write = ast.Expr(_call("set_attribute", own, name, held))
        return [_made(statement, around) for statement in (keep, read, change, write)]

    def deleted(self, node: ast.Delete, around: Position) -> ast.stmt:
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, ast.Attribute):
            return self.copied(node, around)  # type: ignore[no-any-return]
        around = position_in(node, around)
        owner = self.formed(target.value, around)
        return _made(  # type: ignore[no-any-return]
            ast.Expr(_call("delete_attribute", owner, ast.Constant(target.attr))), around
        )


def _deleted_names(body: list[ast.stmt]) -> set[str]:
    return {
        node.id
        for node in own_nodes(body)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del)
    }


def _assign_none(name: str) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], ast.Constant(None))
