"""Which statements a program may use, and what they may bind."""

from __future__ import annotations

import ast

from .expressions import ExpressionChecker
from .implied import is_node
from .keywords import own_functions
from .scope import Scope
from .syntax import (
    BLOCKS,
    DECORATORS,
    MAX_KINDS,
    MAX_NESTING,
    SPECIAL_METHODS,
    STATEMENT_NAMES,
    STATEMENTS,
    bound_names,
    dotted_name,
    first_store,
    own_nodes,
    statement_hint,
)

METHODS: dict[type[ast.AST], str] = {kind: f"on_{kind.__name__.lower()}" for kind in STATEMENTS}
"""The checker's method for each kind of statement."""


class ProgramChecker(ExpressionChecker):
    """Walks a program once: rejects what is not allowed, replaces the table's names by their
    values, and records which words, members and features the program uses."""

    def check(self, tree: ast.Module) -> None:
        scope = Scope(bound_names(tree.body), None, own_functions(tree.body))
        self.refuse_rebinding(tree.body, scope.names)
        self.parsed.tree = tree
        tree.body = self.block(tree.body, scope)

    def refuse_rebinding(self, body: list[ast.stmt], names: set[str]) -> None:
        for name in sorted(names):
            hint = "choose another name"
            if name.startswith("_"):
                message = f"the name {name!r} starts with an underscore"
            elif "__" in name:  # a dotted word's name among the globals has two for its dot
                message = f"the name {name!r} has two underscores in a row"
            elif name in self.bindings:
                message, hint = f"{name!r} is given by the case's table and cannot be assigned", ""
            elif self.is_word(name):
                message = f"{name!r} is a word of the vocabulary and cannot be assigned"
            else:
                continue
            self.refuse(first_store(body, name), message, hint)

    def block(self, body: list[ast.stmt], scope: Scope) -> list[ast.stmt]:
        if self.depth >= MAX_NESTING:
            self.refuse(body[0], "blocks are nested too deeply")
            return body
        self.depth += 1
        checked = [self.statement(node, scope) for node in body]
        self.depth -= 1
        return checked

    def statement(self, node: ast.stmt, scope: Scope) -> ast.stmt:
        if not isinstance(node, STATEMENTS):
            what = STATEMENT_NAMES.get(type(node).__name__, type(node).__name__.lower())
            self.refuse_part(node, what, statement_hint(node), scope)
            return node
        getattr(self, METHODS[type(node)])(node, scope)
        return node

    def on_assign(self, node: ast.Assign, scope: Scope) -> None:
        node.value = self.expression(node.value, scope)
        for target in node.targets:
            if isinstance(target, ast.Name) and is_node(node.value, self.nodes):
                self.nodes.add(target.id)
            self.target(target, scope)

    def on_augassign(self, node: ast.AugAssign, scope: Scope) -> None:
        node.value = self.expression(node.value, scope)
        self.target(node.target, scope)
        self.operator(node, node.op)
        self.parsed.features.add("in-place")

    def on_expr(self, node: ast.Expr, scope: Scope) -> None:
        if isinstance(node.value, ast.Constant):
            self.refuse(
                node, "this constant has no effect", "use a `#` comment, or assert something"
            )
            return
        if isinstance(node.value, ast.Compare):
            self.refuse(node, "this comparison has no effect", "put `assert` before it")
            return
        node.value = self.expression(node.value, scope)

    def on_assert(self, node: ast.Assert, scope: Scope) -> None:
        if node.msg is not None:
            self.refuse(node.msg, "an assert takes no message", "the judge writes it")
        node.test = self.expression(node.test, scope)

    def on_with(self, node: ast.With, scope: Scope) -> None:
        around = self.in_raises
        for item in node.items:
            call = item.context_expr
            name = (
                call.func.id
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
                else ""
            )
            if name in BLOCKS:
                self.language_block(node, call, name)  # type: ignore[arg-type]
                self.in_raises = self.in_raises or name == "raises"
            else:
                item.context_expr = self.expression(call, scope)
            if item.optional_vars is not None:
                self.target(item.optional_vars, scope)
        node.body = self.block(node.body, scope)
        self.in_raises = around

    def language_block(self, node: ast.With, call: ast.Call, name: str) -> None:
        if len(node.items) != 1 or node.items[0].optional_vars is not None:
            self.refuse(
                call,
                f"`with {name}(...)` must be the only context",
                "nest the `with` blocks; `as` is not allowed here",
            )
        if name in ("raises", "may_raise", "warns"):
            named = all(
                isinstance(item, ast.Constant) and isinstance(item.value, str) for item in call.args
            )
            if not named or not call.args or call.keywords:
                self.refuse(call, f"{name} takes the name of a kind", f'write {name}("kind")')
            elif len(call.args) > MAX_KINDS:
                self.refuse(call, f"{name} takes at most {MAX_KINDS} kinds")
        elif call.args or call.keywords:
            self.refuse(call, f"{name}() takes no argument")
        if name in ("warns", "quiet"):
            self.parsed.features.add("warnings")
        if name == "thread":
            self.parsed.features.add("threads")
        for inner in own_nodes(node.body):
            if isinstance(inner, ast.Return):
                self.refuse(inner, f"`return` cannot leave a `with {name}(...)` block")
            if isinstance(inner, ast.Yield) and name == "thread":
                self.refuse(inner, "`yield` cannot leave a `with thread()` block")

    def on_functiondef(self, node: ast.FunctionDef, scope: Scope) -> None:
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Name) and decorator.id in DECORATORS:
                continue
            index = node.decorator_list.index(decorator)
            node.decorator_list[index] = self.expression(decorator, scope)
        if node.returns is not None:
            self.refuse(node.returns, "annotations are not allowed")
        self.function(node, node.args, scope, node.body)

    def function(
        self, node: ast.AST, arguments: ast.arguments, scope: Scope, body: list[ast.stmt]
    ) -> None:
        names = self.parameters(arguments, scope)
        own = {name: it for name, it in own_functions(body).items() if name not in names}
        inner = Scope(names | bound_names(body), scope, own)
        self.refuse_rebinding(body, inner.names - names)
        outer_function, self.in_function = self.in_function, True
        body[:] = self.block(body, inner)
        self.in_function = outer_function

    def on_classdef(self, node: ast.ClassDef, scope: Scope) -> None:
        if node.keywords or node.decorator_list:
            self.refuse(node, "a class takes only base classes")
        for base in node.bases:
            word = self.vocabulary.names.get(dotted_name(base) or "")
            if word is None or word.role != "class":
                self.refuse(
                    base,
                    "a class may only derive from a class of the vocabulary",
                    "such as autograd.Function",
                )
        node.bases = [self.expression(base, scope) for base in node.bases]
        if not node.bases:
            self.refuse(node, "a class needs a base", "such as autograd.Function")
        inner = Scope(set(), scope)
        for index, statement in enumerate(node.body):
            allowed = isinstance(statement, ast.FunctionDef | ast.Assign | ast.Pass)
            if not allowed:
                self.refuse(statement, "a class body may contain only methods and plain values")
                continue
            if isinstance(statement, ast.Assign):
                self.refuse_rebinding([statement], bound_names([statement]))
            elif isinstance(statement, ast.FunctionDef) and statement.name.startswith("_"):
                if statement.name not in SPECIAL_METHODS:
                    self.refuse(
                        statement, f"the method {statement.name!r} starts with an underscore"
                    )
            node.body[index] = self.statement(statement, inner)

    def on_return(self, node: ast.Return, scope: Scope) -> None:
        if not self.in_function:
            self.refuse(node, "`return` outside of a function")
        if node.value is not None:
            node.value = self.expression(node.value, scope)

    def on_for(self, node: ast.For, scope: Scope) -> None:
        self.target(node.target, scope)
        node.iter = self.expression(node.iter, scope)
        node.body = self.block(node.body, scope)
        if node.orelse:
            self.refuse(node.orelse[0], "a `for` takes no `else`")

    def on_if(self, node: ast.If, scope: Scope) -> None:
        node.test = self.expression(node.test, scope)
        node.body = self.block(node.body, scope)
        node.orelse = self.block(node.orelse, scope) if node.orelse else []

    def on_delete(self, node: ast.Delete, scope: Scope) -> None:
        for target in node.targets:
            self.target(target, scope)

    def on_pass(self, node: ast.Pass, scope: Scope) -> None:
        pass

    def target(self, node: ast.expr, scope: Scope) -> None:
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Del) and not scope.binds(node.id):
                self.refuse(
                    node, f"{node.id!r} is not a variable of the program, so it cannot be deleted"
                )
        elif isinstance(node, ast.Attribute):
            node.value = self.expression(node.value, scope)
            self.member(node, self.vocabulary.attributes, "attribute")
            if node.attr == "grad":
                self.parsed.features.add("assign-grad")
        elif isinstance(node, ast.Subscript):
            node.value = self.expression(node.value, scope)
            node.slice = self.expression(node.slice, scope)
            if isinstance(node.ctx, ast.Store):
                self.parsed.features.add("in-place")
        elif isinstance(node, ast.Tuple | ast.List):
            self.depth += 1
            if self.depth > MAX_NESTING:
                self.refuse(node, "the assignment target is nested too deeply")
                return
            for item in node.elts:
                self.target(item, scope)
            self.depth -= 1
        else:
            self.refuse(node, "this cannot be assigned to")
