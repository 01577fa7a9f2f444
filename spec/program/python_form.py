"""The Python form of a program: one function that any Python engine can run.

    def program(observe, ended, recorded, trace, traced): ...

Vocabulary words are globals of the function (a dot in a name becomes two underscores), so running
costs no more than the engine's own calls. In the mediated form attributes and methods go through
`get_attribute`, `set_attribute`, `delete_attribute` and `get_method`, for engines whose names
differ from PyTorch's. Names of its own start with an underscore, which no program's name does.
"""

from __future__ import annotations

import ast
from types import CodeType

from .syntax import Numbers, bound_names, fresh, own_nodes, with_positions

PARAMETERS = ("observe", "ended", "recorded", "run_in_thread", "trace", "traced")


def global_name(word: str) -> str:
    """The name of a vocabulary word among the function's globals."""
    return word.replace(".", "__")


def compile_program(tree: ast.Module, file: str, mediated: bool) -> CodeType:
    """Compile the lowered program; its lines are those of `tree`."""
    module = _function(tree, mediated)
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
    former = PythonFormer(mediated)
    body = former.statements([fresh(statement) for statement in tree.body])
    arguments = ast.arguments([], [ast.arg(name) for name in PARAMETERS], None, [], [], None, [])
    function = ast.FunctionDef("program", arguments, body, [], None)
    if body:
        ast.copy_location(function, body[0])
    return with_positions(ast.Module([function], []))


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


class PythonFormer(ast.NodeTransformer):
    """Rewrites the lowered tree into ordinary Python."""

    def __init__(self, mediated: bool) -> None:
        self.mediated = mediated
        self.threads = 0

    def statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        formed: list[ast.stmt] = []
        for statement in body:
            result = self.visit(statement)
            formed.extend(result if isinstance(result, list) else [result])
        return formed

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        node.decorator_list = [self.visit(item) for item in node.decorator_list]
        node.args = self.visit(node.args)
        node.body = self.statements(node.body)
        return node

    def visit_With(self, node: ast.With) -> ast.stmt | list[ast.stmt]:
        call = node.items[0].context_expr
        name = (
            call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
        )
        if name in ("raises", "may_raise") and isinstance(call, ast.Call):
            return self.attempt(node, call.args[0])
        if name in ("warns", "quiet") and isinstance(call, ast.Call):
            return self.record(node, call.args[0])
        if name == "thread":
            return self.thread(node)
        node.items = [self.visit(item) for item in node.items]
        node.body = self.statements(node.body)
        return node

    def attempt(self, node: ast.With, index: ast.expr) -> ast.stmt:
        """try: body; except Exception as _error: ended(index, _error); else: ended(index, None)"""
        caught = ast.ExceptHandler(
            ast.Name("Exception", ast.Load()),
            "_error",
            [ast.Expr(_call("ended", index, ast.Name("_error", ast.Load())))],
        )
        otherwise = ast.Expr(_call("ended", index, ast.Constant(None)))
        return ast.copy_location(
            ast.Try(self.statements(node.body), [caught], [otherwise], []), node
        )

    def record(self, node: ast.With, index: ast.expr) -> ast.stmt:
        """with recorded(index): body"""
        item = ast.withitem(_call("recorded", index), None)
        return ast.copy_location(ast.With([item], self.statements(node.body), None), node)

    def thread(self, node: ast.With) -> list[ast.stmt]:
        """The block as a nested function, whose assignments reach out of it, run in a thread."""
        self.threads += 1
        name = f"_thread_{self.threads}"
        assigned = sorted(bound_names(node.body) | _deleted_names(node.body))
        body = self.statements(node.body)
        inner: list[ast.stmt] = [ast.Nonlocal(assigned), *body] if assigned else body
        arguments = ast.arguments([], [], None, [], [], None, [])
        function = ast.FunctionDef(name, arguments, inner, [], None)
        run = ast.Expr(_call("run_in_thread", ast.Name(name, ast.Load())))
        result: list[ast.stmt] = []
        if assigned:  # `nonlocal` needs the names to be bound by the enclosing function itself
            never = ast.If(ast.Constant(False), [_assign_none(item) for item in assigned], [])
            result.append(ast.copy_location(never, node))
        return [*result, ast.copy_location(function, node), ast.copy_location(run, node)]

    def visit_List(self, node: ast.List) -> ast.AST:
        return node if type(node) is Numbers else self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        node.id = global_name(node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        node.value = self.visit(node.value)
        if self.mediated and isinstance(node.ctx, ast.Load) and not node.attr.startswith("__"):
            return ast.copy_location(
                _call("get_attribute", node.value, ast.Constant(node.attr)), node
            )
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        function = node.func
        if (
            self.mediated
            and isinstance(function, ast.Attribute)
            and not function.attr.startswith("__")
        ):
            owner = self.visit(function.value)
            node.func = ast.copy_location(
                _call("get_method", owner, ast.Constant(function.attr)), function
            )
        else:
            node.func = self.visit(function)
        node.args = [self.visit(item) for item in node.args]
        node.keywords = [ast.keyword(item.arg, self.visit(item.value)) for item in node.keywords]
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        node.value = self.visit(node.value)
        target = node.targets[0]
        if self.mediated and len(node.targets) == 1 and isinstance(target, ast.Attribute):
            owner = self.visit(target.value)
            call = _call("set_attribute", owner, ast.Constant(target.attr), node.value)
            return ast.copy_location(ast.Expr(call), node)
        node.targets = [self.visit(item) for item in node.targets]
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt | list[ast.stmt]:
        node.value = self.visit(node.value)
        if not (self.mediated and isinstance(node.target, ast.Attribute)):
            node.target = self.visit(node.target)
            return node
        owner, name = self.visit(node.target.value), ast.Constant(node.target.attr)
        own, held = ast.Name("_owner", ast.Load()), ast.Name("_held", ast.Load())
        keep = ast.Assign([ast.Name("_owner", ast.Store())], owner)
        read = ast.Assign([ast.Name("_held", ast.Store())], _call("get_attribute", own, name))
        change = ast.AugAssign(ast.Name("_held", ast.Store()), node.op, node.value)
        write = ast.Expr(_call("set_attribute", own, name, held))
        return [ast.copy_location(statement, node) for statement in (keep, read, change, write)]

    def visit_Delete(self, node: ast.Delete) -> ast.stmt:
        target = node.targets[0]
        if self.mediated and len(node.targets) == 1 and isinstance(target, ast.Attribute):
            call = _call("delete_attribute", self.visit(target.value), ast.Constant(target.attr))
            return ast.copy_location(ast.Expr(call), node)
        node.targets = [self.visit(item) for item in node.targets]
        return node


def _deleted_names(body: list[ast.stmt]) -> set[str]:
    return {
        node.id
        for node in own_nodes(body)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del)
    }


def _assign_none(name: str) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], ast.Constant(None))
