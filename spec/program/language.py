"""The program language: which part of Python's syntax a program may use, and with which names.

`parse_program` reads the text of a program and rejects, with file, line and column, everything
that is not on the lists below. What is left cannot import, reach an interpreter's internals, or
name anything outside the vocabulary.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ..problems import Place, Problem, nearest
from .implied import is_node, keywords_by_position
from .keywords import Signature, own_functions, unpacked_names
from .syntax import (
    BINARY_OPERATORS,
    BLOCKS,
    DECORATORS,
    EXPECTED_ONLY,
    EXPRESSIONS,
    GROWING,
    MAX_INTEGER,
    MAX_ITEMS,
    MAX_KINDS,
    MAX_NESTING,
    MAX_PROBLEMS,
    MAX_TEXT,
    RESERVED,
    RUNTIME,
    SPECIAL_METHODS,
    STATEMENT_NAMES,
    STATEMENTS,
    Numbers,
    as_numbers,
    bound_names,
    copy_at,
    dotted_name,
    expression_hint,
    expression_name,
    first_store,
    grows_too_large,
    integer_of,
    is_super_init,
    nodes_of,
    own_nodes,
    statement_hint,
    stored_name,
)
from .vocabulary import Vocabulary, Word

OWN_WORDS = RESERVED | RUNTIME
PLAIN_WORDS = RESERVED - BLOCKS
METHODS: dict[type[ast.AST], str] = {
    kind: f"on_{kind.__name__.lower()}" for kind in (*STATEMENTS, *EXPRESSIONS, Numbers)
}
"""The checker's method for each kind of node."""


@dataclass
class Parsed:
    """A checked program: its tree, and what it takes from the engine.

    `words` are vocabulary names without an owner, `members` the methods and attributes, and
    `features` all that these and the language's own constructs need.
    """

    tree: ast.Module
    words: dict[str, Word] = field(default_factory=dict)
    members: set[str] = field(default_factory=set)
    features: set[str] = field(default_factory=set)
    strangers: set[str] = field(default_factory=set)
    """The words and members that gradspec's own vocabulary does not have."""
    too_large: list[ast.BinOp] = field(default_factory=list)
    """Operations on literals whose value would take all memory."""
    names_either: bool = False


@dataclass(frozen=True)
class Bound:
    """The value of a name of a case's table: an expression, its text and its place."""

    expression: ast.expr
    text: str
    place: Place


class _Enough(Exception):
    """A program has too many problems to report more."""


def parse_program(
    text: str,
    vocabulary: Vocabulary,
    bindings: Mapping[str, Bound],
    locate: Callable[[int, int], Place],
    problems: list[Problem],
    first_line: int = 1,
) -> Parsed | None:
    """Parse and check one program; each fault is added to `problems`, up to `MAX_PROBLEMS`.

    `bindings` are the names that the case's table gives, each replaced by its expression;
    `first_line` is what the text's first line is called, in the tree and everywhere; `locate` turns
    such a line and a column (from 0, in bytes) into a place in the file.
    Returns None when the text is not even a program.
    """
    start = locate(first_line, 0)
    if len(text) > MAX_TEXT:
        problems.append(
            Problem(start, f"the program has {len(text)} characters; {MAX_TEXT} are allowed")
        )
        return None
    if "\t" in text:
        ahead = text[: text.index("\t")]
        column = len(ahead) - ahead.rfind("\n") - 1
        place = locate(first_line + ahead.count("\n"), column)
        problems.append(Problem(place, "found a tab", "programs are indented with spaces"))
        return None
    tree = _syntax_tree(text, first_line, locate, problems)
    if tree is None:
        return None
    if not tree.body:
        problems.append(Problem(start, "the program is empty"))
        return None
    before = len(problems)
    checker = _Checker(vocabulary, bindings, locate, problems)
    try:
        checker.check(tree)
    except _Enough:
        pass
    except RecursionError:
        problems.append(Problem(start, "the program is nested too deeply"))
    return None if len(problems) > before else checker.parsed


def parse_expression(text: str) -> ast.expr | None:
    """The expression that `text` is, or None. Raises `RecursionError` where it is nested too deeply
    to be read; how deep that is depends on Python's version."""
    if len(text) > MAX_TEXT:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None
    except MemoryError as error:  # what the parser of older versions raises
        raise RecursionError from error


def _syntax_tree(
    text: str, first_line: int, locate: Callable[[int, int], Place], problems: list[Problem]
) -> ast.Module | None:
    numbered = "\n" * (first_line - 1) + text  # several times as fast as ast.increment_lineno
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(numbered)
    except SyntaxError as error:
        line = max(error.lineno or 1, first_line)
        before = "".join(numbered.splitlines()[line - 1 : line])[: (error.offset or 1) - 1]
        place = locate(line, len(before.encode()))  # as the tree does, `locate` counts bytes
        problems.append(Problem(place, f"this is not a program: {error.msg}"))
    except (RecursionError, MemoryError):
        problems.append(Problem(locate(first_line, 0), "the program is nested too deeply"))
    except ValueError as error:
        problems.append(Problem(locate(first_line, 0), f"this is not a program: {error}"))
    return None


class _Scope:
    """The names bound in one function, class body or at the top level."""

    def __init__(
        self,
        names: set[str],
        outer: _Scope | None,
        functions: Mapping[str, Signature] = MappingProxyType({}),
    ) -> None:
        self.names = names
        self.outer = outer
        self.functions = functions

    def binds(self, name: str) -> bool:
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.names:
                return True
            scope = scope.outer
        return False

    def function(self, name: str) -> Signature | None:
        """The program's own function that a name refers to, or None if it may be another."""
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.functions.get(name)
            scope = scope.outer
        return None


class _Checker:
    """Walks a program once: rejects what is not allowed, replaces the table's names by their
    values, and records which words, members and features the program uses."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        bindings: Mapping[str, Bound],
        locate: Callable[[int, int], Place],
        problems: list[Problem],
    ) -> None:
        self.vocabulary = vocabulary
        self.bindings = bindings
        self.locate = locate
        self.problems = problems
        self.parsed = Parsed(ast.Module([], []))
        self.namespaces = vocabulary.namespaces
        self.nodes: set[str] = set()
        self.depth = 0
        self.reported = 0
        self.in_function = False
        self.in_raises = False

    def check(self, tree: ast.Module) -> None:
        scope = _Scope(bound_names(tree.body), None, own_functions(tree.body))
        self.refuse_rebinding(tree.body, scope.names)
        self.parsed.tree = tree
        tree.body = self.block(tree.body, scope)

    # --- complaints ---

    def refuse(self, node: ast.AST, message: str, hint: str = "") -> None:
        place = self.locate(getattr(node, "lineno", 1), getattr(node, "col_offset", 0))
        self.problems.append(Problem(place, message, hint))
        self.reported += 1
        if self.reported >= MAX_PROBLEMS:
            raise _Enough

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

    def is_word(self, name: str) -> bool:
        return name in OWN_WORDS or name in self.vocabulary.names or name in self.namespaces

    def refuse_part(self, node: ast.stmt | ast.expr, what: str, hint: str, scope: _Scope) -> None:
        """Reject a construct, and report nothing else about the names that it binds."""
        self.refuse(node, f"a program may not use {what}", hint)
        scope.names.update(filter(None, map(stored_name, nodes_of(node))))

    # --- statements ---

    def block(self, body: list[ast.stmt], scope: _Scope) -> list[ast.stmt]:
        if self.depth >= MAX_NESTING:
            self.refuse(body[0], "blocks are nested too deeply")
            return body
        self.depth += 1
        checked = [self.statement(node, scope) for node in body]
        self.depth -= 1
        return checked

    def statement(self, node: ast.stmt, scope: _Scope) -> ast.stmt:
        if not isinstance(node, STATEMENTS):
            what = STATEMENT_NAMES.get(type(node).__name__, type(node).__name__.lower())
            self.refuse_part(node, what, statement_hint(node), scope)
            return node
        getattr(self, METHODS[type(node)])(node, scope)
        return node

    def on_assign(self, node: ast.Assign, scope: _Scope) -> None:
        node.value = self.expression(node.value, scope)
        for target in node.targets:
            if isinstance(target, ast.Name) and is_node(node.value, self.nodes):
                self.nodes.add(target.id)
            self.target(target, scope)

    def on_augassign(self, node: ast.AugAssign, scope: _Scope) -> None:
        node.value = self.expression(node.value, scope)
        self.target(node.target, scope)
        self.operator(node, node.op)
        self.parsed.features.add("in-place")

    def on_expr(self, node: ast.Expr, scope: _Scope) -> None:
        if isinstance(node.value, ast.Constant):
            self.refuse(
                node, "this constant has no effect", "use a `#` comment, or assert something"
            )
            return
        if isinstance(node.value, ast.Compare):
            self.refuse(node, "this comparison has no effect", "put `assert` before it")
            return
        node.value = self.expression(node.value, scope)

    def on_assert(self, node: ast.Assert, scope: _Scope) -> None:
        if node.msg is not None:
            self.refuse(node.msg, "an assert takes no message", "the judge writes it")
        node.test = self.expression(node.test, scope)

    def on_with(self, node: ast.With, scope: _Scope) -> None:
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

    def on_functiondef(self, node: ast.FunctionDef, scope: _Scope) -> None:
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Name) and decorator.id in DECORATORS:
                continue
            index = node.decorator_list.index(decorator)
            node.decorator_list[index] = self.expression(decorator, scope)
        if node.returns is not None:
            self.refuse(node.returns, "annotations are not allowed")
        self.function(node, node.args, scope, node.body)

    def function(
        self, node: ast.AST, arguments: ast.arguments, scope: _Scope, body: list[ast.stmt]
    ) -> None:
        names = self.parameters(arguments, scope)
        own = {name: it for name, it in own_functions(body).items() if name not in names}
        inner = _Scope(names | bound_names(body), scope, own)
        self.refuse_rebinding(body, inner.names - names)
        outer_function, self.in_function = self.in_function, True
        body[:] = self.block(body, inner)
        self.in_function = outer_function

    def parameters(self, arguments: ast.arguments, scope: _Scope) -> set[str]:
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]
        for parameter in every:
            if parameter.annotation is not None:
                self.refuse(parameter.annotation, "annotations are not allowed")
            if parameter.arg.startswith("_"):
                self.refuse(parameter, f"the name {parameter.arg!r} starts with an underscore")
            elif "__" in parameter.arg:
                self.refuse(parameter, f"the name {parameter.arg!r} has two underscores in a row")
            if self.is_word(parameter.arg):
                self.refuse(
                    parameter,
                    f"{parameter.arg!r} is a word of the vocabulary",
                    "choose another name",
                )
        arguments.defaults = [self.expression(default, scope) for default in arguments.defaults]
        arguments.kw_defaults = [
            None if default is None else self.expression(default, scope)
            for default in arguments.kw_defaults
        ]
        return {parameter.arg for parameter in every}

    def on_classdef(self, node: ast.ClassDef, scope: _Scope) -> None:
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
        inner = _Scope(set(), scope)
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

    def on_return(self, node: ast.Return, scope: _Scope) -> None:
        if not self.in_function:
            self.refuse(node, "`return` outside of a function")
        if node.value is not None:
            node.value = self.expression(node.value, scope)

    def on_for(self, node: ast.For, scope: _Scope) -> None:
        self.target(node.target, scope)
        node.iter = self.expression(node.iter, scope)
        node.body = self.block(node.body, scope)
        if node.orelse:
            self.refuse(node.orelse[0], "a `for` takes no `else`")

    def on_if(self, node: ast.If, scope: _Scope) -> None:
        node.test = self.expression(node.test, scope)
        node.body = self.block(node.body, scope)
        node.orelse = self.block(node.orelse, scope) if node.orelse else []

    def on_delete(self, node: ast.Delete, scope: _Scope) -> None:
        for target in node.targets:
            self.target(target, scope)

    def on_pass(self, node: ast.Pass, scope: _Scope) -> None:
        pass

    def target(self, node: ast.expr, scope: _Scope) -> None:
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

    # --- expressions ---

    def expression(self, node: ast.expr, scope: _Scope) -> ast.expr:
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.depth -= 1
            self.refuse(node, "expressions are nested too deeply")
            return node
        if isinstance(node, ast.Name) and node.id in self.bindings and not scope.binds(node.id):
            checked = self.bound_expression(self.bindings[node.id], node, scope)
        elif not isinstance(node, EXPRESSIONS):
            self.refuse_part(node, expression_name(node), expression_hint(node), scope)
            checked = node
        elif isinstance(node, ast.Compare):
            checked = self.comparison(node, scope)
        else:
            checked = getattr(self, METHODS[type(node)])(node, scope) or node
        self.depth -= 1
        return checked

    def bound_expression(self, bound: Bound, node: ast.Name, scope: _Scope) -> ast.expr:
        """Check an expression from the table, in which the table's own names are not available.

        Problems are reported at its cell.
        """
        bindings, locate = self.bindings, self.locate
        self.bindings, self.locate = {}, lambda line, column: bound.place
        checked = self.expression(copy_at(bound.expression, node), scope)
        self.bindings, self.locate = bindings, locate
        return checked

    def comparison(self, node: ast.Compare, scope: _Scope) -> ast.expr:
        if len(node.ops) != 1:
            self.refuse(node, "chained comparisons are not supported", "write one assert for each")
        node.left = self.expression(node.left, scope)
        node.comparators = [self.expression(item, scope) for item in node.comparators]
        return node

    def on_name(self, node: ast.Name, scope: _Scope) -> ast.expr | None:
        if node.id in PLAIN_WORDS or scope.binds(node.id):
            if node.id in EXPECTED_ONLY:
                self.parsed.names_either = True
            return None
        word = self.vocabulary.names.get(node.id)
        if word is None:
            self.unknown_name(node, scope)
            return None
        self.use(word)
        return None

    def refuse_bare_block(self, node: ast.Name) -> None:
        self.refuse(node, f"{node.id}(...) only makes sense as `with {node.id}(...)`")

    def unknown_name(self, node: ast.Name, scope: _Scope) -> None:
        known = {*self.vocabulary.names, *RESERVED, *self.bindings}
        reach: _Scope | None = scope
        while reach is not None:
            known |= reach.names
            reach = reach.outer
        if node.id in BLOCKS:
            self.refuse_bare_block(node)
        elif node.id in self.namespaces:
            self.refuse(
                node, f"{node.id!r} is a group of words, not a word", f"write {node.id}.something"
            )
        elif node.id.startswith("__"):
            self.refuse(node, f"the name {node.id!r} gives access to the interpreter")
        else:
            self.refuse(
                node, f"the name {node.id!r} is not in the vocabulary", nearest(node.id, known)
            )

    def use(self, word: Word) -> None:
        if word.role in ("function", "class", "context", "value"):
            self.parsed.words[word.name] = word
        else:
            self.parsed.members.add(word.name)
        self.parsed.features.add(word.feature)
        if not word.own:
            self.parsed.strangers.add(word.name)

    def on_constant(self, node: ast.Constant, scope: _Scope) -> None:
        value = node.value
        if isinstance(value, int) and abs(value) >= MAX_INTEGER:
            self.refuse(node, "the integer does not fit 64 bits")
        elif isinstance(value, float | complex) and abs(value) == math.inf:
            self.refuse(
                node, "the number is too large for a float", "write inf, if infinity is meant"
            )
        elif isinstance(value, complex):
            self.parsed.features.add("complex")
        elif isinstance(value, bytes):
            self.refuse(node, "bytes are not allowed")

    def on_call(self, node: ast.Call, scope: _Scope) -> None:
        function = node.func
        if isinstance(function, ast.Attribute) and not self.in_namespace(function, scope):
            function.value = self.expression(function.value, scope)
            if function.attr == "register_hook" and is_node(function.value, self.nodes):
                self.parsed.members.add(function.attr)
                self.parsed.features.add("node-hooks")
            elif not is_super_init(function):
                self.member(function, self.vocabulary.methods, "method")
        elif isinstance(function, ast.Name) and function.id in BLOCKS:
            self.refuse_bare_block(function)
        else:
            node.func = self.expression(function, scope)
        node.args = [self.expression(argument, scope) for argument in node.args]
        if isinstance(function, ast.Name) and function.id == "range":
            if any((integer_of(item) or 0) > MAX_ITEMS for item in node.args):
                self.refuse(node, f"a range has at most {MAX_ITEMS} numbers")
        for name in keywords_by_position(node):
            if name in self.vocabulary.keywords:
                self.use(self.vocabulary.keywords[name])
        for keyword in node.keywords:
            keyword.value = self.expression(keyword.value, scope)
            if keyword.arg is not None:
                self.keyword(keyword, keyword.arg, function, scope)
            else:
                self.unpacked_keywords(keyword, function, scope)

    def unpacked_keywords(self, keyword: ast.keyword, function: ast.expr, scope: _Scope) -> None:
        """Check `**{...}` as if its keywords were named.

        Within `raises` they may be what the engine must reject, so the engine is not asked to have
        them; only there do they need no feature.
        """
        names = unpacked_names(keyword.value)
        if names is None:
            self.refuse(
                keyword.value,
                "`**` takes only a dict literal with names as its keys",
                'write **{"name": value}',
            )
            return
        for node, name in names:
            self.keyword(node, name, function, scope, asked=not self.in_raises)

    def keyword(
        self, node: ast.AST, name: str, function: ast.expr, scope: _Scope, asked: bool = True
    ) -> None:
        """Check a keyword: a word of the vocabulary, or a parameter of the program's own function."""
        word = self.vocabulary.keywords.get(name)
        own = scope.function(function.id) if isinstance(function, ast.Name) else None
        if word is not None and asked:
            self.use(word)
        elif word is not None:
            self.parsed.strangers |= set() if word.own else {name}
        elif name.startswith("_") or "__" in name:
            self.refuse(
                node, f"the keyword {name!r} starts with an underscore, or has two in a row"
            )
        elif own is None or not own.takes(name):
            hint = nearest(name, self.vocabulary.keywords)
            self.refuse(node, f"the keyword {name!r} is not in the vocabulary", hint)

    def dotted_word(self, node: ast.Attribute, scope: _Scope) -> Word | None:
        name = dotted_name(node)
        if name is None or scope.binds(name.split(".")[0]):
            return None
        return self.vocabulary.names.get(name)

    def in_namespace(self, node: ast.Attribute, scope: _Scope) -> bool:
        """Whether this is a dotted name of the vocabulary, or would be one if it were known."""
        first = (dotted_name(node) or "").split(".")[0]
        if self.dotted_word(node, scope) is not None:
            return True
        return (
            first in self.namespaces
            and first not in self.vocabulary.names
            and not scope.binds(first)
        )

    def on_attribute(self, node: ast.Attribute, scope: _Scope) -> ast.expr | None:
        word = self.dotted_word(node, scope)
        if word is not None:  # from here on a dotted word is one name, dot and all
            self.use(word)
            return ast.copy_location(ast.Name(word.name, ast.Load()), node)
        name = dotted_name(node)
        if self.in_namespace(node, scope):
            self.refuse(
                node,
                f"{name!r} is not in the vocabulary",
                nearest(str(name), self.vocabulary.names),
            )
            return None
        node.value = self.expression(node.value, scope)
        self.member(node, self.vocabulary.attributes, "attribute")
        return None

    def member(self, node: ast.Attribute, table: Mapping[str, Word], role: str) -> None:
        name = node.attr
        if name.startswith("__"):
            self.refuse(
                node,
                f"the {role} {name!r} gives access to the interpreter",
                "dunder names are not allowed",
            )
            return
        word = table.get(name)
        if word is None:
            other = self.vocabulary.attributes if role == "method" else self.vocabulary.methods
            if name in other:
                hint = f"{name!r} is known as {'an attribute' if role == 'method' else 'a method'}"
            else:
                hint = nearest(name, table)
            self.refuse(node, f"the {role} {name!r} is not in the vocabulary", hint)
            return
        self.use(word)

    def on_binop(self, node: ast.BinOp, scope: _Scope) -> None:
        node.left = self.expression(node.left, scope)
        node.right = self.expression(node.right, scope)
        self.operator(node, node.op)
        if isinstance(node.op, GROWING) and grows_too_large(node):
            self.parsed.too_large.append(node)

    def operator(self, node: ast.AST, operator: ast.operator) -> None:
        if type(operator) not in BINARY_OPERATORS:
            self.refuse(node, f"a program may not use the operator {type(operator).__name__}")

    def on_unaryop(self, node: ast.UnaryOp, scope: _Scope) -> None:
        node.operand = self.expression(node.operand, scope)

    def on_subscript(self, node: ast.Subscript, scope: _Scope) -> None:
        node.value = self.expression(node.value, scope)
        node.slice = self.expression(node.slice, scope)

    def on_slice(self, node: ast.Slice, scope: _Scope) -> None:
        for part in ("lower", "upper", "step"):
            value = getattr(node, part)
            if value is not None:
                setattr(node, part, self.expression(value, scope))

    def on_list(self, node: ast.List, scope: _Scope) -> None:
        if type(node) is Numbers or as_numbers(node):
            return
        node.elts = [self.expression(item, scope) for item in node.elts]

    def on_tuple(self, node: ast.Tuple, scope: _Scope) -> None:
        node.elts = [self.expression(item, scope) for item in node.elts]

    def on_dict(self, node: ast.Dict, scope: _Scope) -> None:
        if any(key is None for key in node.keys):
            self.refuse(node, "a dict may not unpack another")
            return
        node.keys = [self.expression(key, scope) for key in node.keys if key is not None]
        node.values = [self.expression(value, scope) for value in node.values]

    def on_lambda(self, node: ast.Lambda, scope: _Scope) -> None:
        inner = _Scope(self.parameters(node.args, scope), scope)
        outer_function, self.in_function = self.in_function, False
        node.body = self.expression(node.body, inner)
        self.in_function = outer_function

    def on_ifexp(self, node: ast.IfExp, scope: _Scope) -> None:
        node.test = self.expression(node.test, scope)
        node.body = self.expression(node.body, scope)
        node.orelse = self.expression(node.orelse, scope)

    def on_starred(self, node: ast.Starred, scope: _Scope) -> None:
        node.value = self.expression(node.value, scope)

    def on_yield(self, node: ast.Yield, scope: _Scope) -> None:
        if not self.in_function:
            self.refuse(node, "`yield` outside of a function")
        if node.value is not None:
            node.value = self.expression(node.value, scope)
