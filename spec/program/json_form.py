"""The JSON form of a program, for engines in any language. Its schema is `schema/program.json`.

Every statement is an object with `do` and `line`, every expression one with `is`. Vocabulary
words are `{"is": "word", "word": ...}`, the program's own variables `{"is": "name", "name": ...}`.
"""

from __future__ import annotations

import ast
import math
from typing import Any

from ..values import plain_number
from .program import Program
from .syntax import (
    BINARY_OPERATORS,
    BUILTINS,
    COMPARISONS,
    CONSTANTS,
    EXPRESSIONS,
    REPORTING,
    STATEMENTS,
    TRACE,
    UNARY_OPERATORS,
    Numbers,
    own_nodes,
)

Json = dict[str, Any]
KINDS = {bool: "bool", int: "int", float: "float", str: "string"}
METHODS: dict[type[ast.AST], str] = {
    kind: f"on_{kind.__name__.lower()}" for kind in (*STATEMENTS, *EXPRESSIONS, Numbers)
}
"""The writer's method for each kind of node."""


def program_json(program: Program) -> Json:
    """The whole program as one JSON object."""
    writer = _Writer(frozenset(program.words))
    return {
        "id": program.id,
        "words": list(program.words),
        "features": sorted(program.features),
        "body": [writer.statement(node) for node in program.tree.body],
    }


class _Writer:
    def __init__(self, words: frozenset[str]) -> None:
        self.words = words | BUILTINS | CONSTANTS | TRACE

    # --- statements ---

    def block(self, body: list[ast.stmt]) -> list[Json]:
        return [self.statement(node) for node in body]

    def statement(self, node: ast.stmt) -> Json:
        written: Json = getattr(self, METHODS[type(node)])(node)
        return {"do": written.pop("do"), "line": node.lineno, **written}

    def on_assign(self, node: ast.Assign) -> Json:
        targets = [self.expression(target) for target in node.targets]
        return {"do": "assign", "to": targets, "value": self.expression(node.value)}

    def on_augassign(self, node: ast.AugAssign) -> Json:
        operator = BINARY_OPERATORS[type(node.op)]
        return {
            "do": "update",
            "to": self.expression(node.target),
            "operator": operator,
            "value": self.expression(node.value),
        }

    def on_expr(self, node: ast.Expr) -> Json:
        call = node.value
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id == "observe"
        ):
            index, *values = call.args
            assert isinstance(index, ast.Constant)
            return {
                "do": "observe",
                "observation": index.value,
                "values": [self.expression(item) for item in values],
            }
        return {"do": "evaluate", "value": self.expression(node.value)}

    def on_with(self, node: ast.With) -> Json:
        call = node.items[0].context_expr
        name = (
            call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
        )
        body = self.block(node.body)
        if name in REPORTING and isinstance(call, ast.Call):
            index = call.args[0]
            assert isinstance(index, ast.Constant)
            return {
                "do": "attempt" if name in ("raises", "may_raise") else "record",
                "observation": index.value,
                "body": body,
            }
        if name == "thread":
            return {"do": "thread", "body": body}
        contexts = [
            {"context": self.expression(item.context_expr), "as": self.optional(item.optional_vars)}
            for item in node.items
        ]
        return {"do": "within", "contexts": contexts, "body": body}

    def on_functiondef(self, node: ast.FunctionDef) -> Json:
        return {
            "do": "define",
            "name": node.name,
            "parameters": self.parameters(node.args),
            "decorators": [self.expression(item) for item in node.decorator_list],
            "generator": any(isinstance(part, ast.Yield) for part in own_nodes(node.body)),
            "body": self.block(node.body),
        }

    def on_classdef(self, node: ast.ClassDef) -> Json:
        bases = [self.expression(base) for base in node.bases]
        return {"do": "class", "name": node.name, "bases": bases, "body": self.block(node.body)}

    def on_return(self, node: ast.Return) -> Json:
        return {"do": "return", "value": self.optional(node.value)}

    def on_for(self, node: ast.For) -> Json:
        return {
            "do": "for",
            "each": self.expression(node.target),
            "in": self.expression(node.iter),
            "body": self.block(node.body),
        }

    def on_if(self, node: ast.If) -> Json:
        return {
            "do": "if",
            "test": self.expression(node.test),
            "then": self.block(node.body),
            "else": self.block(node.orelse),
        }

    def on_delete(self, node: ast.Delete) -> Json:
        return {"do": "delete", "targets": [self.expression(target) for target in node.targets]}

    def on_pass(self, node: ast.Pass) -> Json:
        return {"do": "pass"}

    # --- expressions ---

    def optional(self, node: ast.expr | None) -> Json | None:
        return None if node is None else self.expression(node)

    def expressions(self, nodes: list[ast.expr]) -> list[Json]:
        return [self.expression(node) for node in nodes]

    def expression(self, node: ast.expr) -> Json:
        written: Json = getattr(self, METHODS[type(node)])(node)
        return written

    def on_constant(self, node: ast.Constant) -> Json:
        value = node.value
        if value is None:
            return {"is": "none"}
        if value is Ellipsis:
            return {"is": "ellipsis"}
        if isinstance(value, complex):
            return {"is": "complex", "value": [value.real, value.imag]}
        kind = KINDS[type(value)]
        return {"is": kind, "value": plain_number(value) if isinstance(value, float) else value}

    def on_name(self, node: ast.Name) -> Json:
        if node.id in CONSTANTS:
            value = math.pi if node.id == "pi" else {"number": node.id}
            return {"is": "float", "value": value}
        if node.id in self.words:
            return {"is": "word", "word": node.id}
        return {"is": "name", "name": node.id}

    def on_call(self, node: ast.Call) -> Json:
        arguments = {
            "args": self.expressions(node.args),
            "keywords": {
                item.arg: self.expression(item.value) for item in node.keywords if item.arg
            },
        }
        unpacked = [item.value for item in node.keywords if not item.arg]
        if unpacked:  # keywords given as dicts, `f(**{"name": value})`
            arguments["unpacked"] = self.expressions(unpacked)
        if isinstance(node.func, ast.Attribute):
            return {
                "is": "method",
                "of": self.expression(node.func.value),
                "name": node.func.attr,
                **arguments,
            }
        return {"is": "call", "of": self.expression(node.func), **arguments}

    def on_attribute(self, node: ast.Attribute) -> Json:
        return {"is": "attribute", "of": self.expression(node.value), "name": node.attr}

    def on_binop(self, node: ast.BinOp) -> Json:
        return {
            "is": "binary",
            "operator": BINARY_OPERATORS[type(node.op)],
            "left": self.expression(node.left),
            "right": self.expression(node.right),
        }

    def on_unaryop(self, node: ast.UnaryOp) -> Json:
        return {
            "is": "unary",
            "operator": UNARY_OPERATORS[type(node.op)],
            "of": self.expression(node.operand),
        }

    def on_compare(self, node: ast.Compare) -> Json:
        return {
            "is": "compare",
            "operator": COMPARISONS[type(node.ops[0])],
            "left": self.expression(node.left),
            "right": self.expression(node.comparators[0]),
        }

    def on_subscript(self, node: ast.Subscript) -> Json:
        return {"is": "index", "of": self.expression(node.value), "at": self.expression(node.slice)}

    def on_slice(self, node: ast.Slice) -> Json:
        return {
            "is": "slice",
            "from": self.optional(node.lower),
            "to": self.optional(node.upper),
            "step": self.optional(node.step),
        }

    def on_list(self, node: ast.List) -> Json:
        return {"is": "list", "items": self.expressions(node.elts)}

    def on_tuple(self, node: ast.Tuple) -> Json:
        return {"is": "tuple", "items": self.expressions(node.elts)}

    def on_dict(self, node: ast.Dict) -> Json:
        pairs = zip(node.keys, node.values, strict=True)
        return {
            "is": "dict",
            "items": [
                [self.expression(key), self.expression(value)]
                for key, value in pairs
                if key is not None
            ],
        }

    def on_lambda(self, node: ast.Lambda) -> Json:
        return {
            "is": "lambda",
            "parameters": self.parameters(node.args),
            "body": self.expression(node.body),
        }

    def on_ifexp(self, node: ast.IfExp) -> Json:
        return {
            "is": "choice",
            "test": self.expression(node.test),
            "then": self.expression(node.body),
            "else": self.expression(node.orelse),
        }

    def on_starred(self, node: ast.Starred) -> Json:
        return {"is": "starred", "of": self.expression(node.value)}

    def on_yield(self, node: ast.Yield) -> Json:
        return {"is": "yield", "value": self.optional(node.value)}

    def parameters(self, arguments: ast.arguments) -> list[Json]:
        plain = [*arguments.posonlyargs, *arguments.args]
        required = len(plain) - len(arguments.defaults)
        defaults: list[ast.expr | None] = [*[None] * required, *arguments.defaults]
        written: list[Json] = [
            {"name": parameter.arg, "sort": "plain", "default": self.optional(default)}
            for parameter, default in zip(plain, defaults, strict=True)
        ]
        if arguments.vararg:
            written.append({"name": arguments.vararg.arg, "sort": "rest", "default": None})
        for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            written.append(
                {"name": parameter.arg, "sort": "keyword", "default": self.optional(default)}
            )
        if arguments.kwarg:
            written.append({"name": arguments.kwarg.arg, "sort": "keywords", "default": None})
        return written
