"""Which expressions a program may use, and with which names."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping

from ..problems import Place, Problem, nearest
from .implied import is_node, keywords_by_position
from .keywords import unpacked_names
from .parsed import Bound, Enough, Parsed
from .scope import Scope
from .syntax import (
    BINARY_OPERATORS,
    BLOCKS,
    EXPECTED_ONLY,
    EXPRESSIONS,
    GROWING,
    MAX_INTEGER,
    MAX_ITEMS,
    MAX_NESTING,
    MAX_PROBLEMS,
    RESERVED,
    RUNTIME,
    Numbers,
    as_numbers,
    copy_at,
    dotted_name,
    expression_hint,
    expression_name,
    grows_too_large,
    integer_of,
    is_super_init,
    nodes_of,
    stored_name,
)
from .vocabulary import Vocabulary, Word

OWN_WORDS = RESERVED | RUNTIME
PLAIN_WORDS = RESERVED - BLOCKS
METHODS: dict[type[ast.AST], str] = {
    kind: f"on_{kind.__name__.lower()}" for kind in (*EXPRESSIONS, Numbers)
}
"""The checker's method for each kind of expression."""


class ExpressionChecker:
    """Checks the expressions of a program."""

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

    def refuse(self, node: ast.AST, message: str, hint: str = "") -> None:
        place = self.locate(getattr(node, "lineno", 1), getattr(node, "col_offset", 0))
        self.problems.append(Problem(place, message, hint))
        self.reported += 1
        if self.reported >= MAX_PROBLEMS:
            raise Enough

    def is_word(self, name: str) -> bool:
        return name in OWN_WORDS or name in self.vocabulary.names or name in self.namespaces

    def refuse_part(self, node: ast.stmt | ast.expr, what: str, hint: str, scope: Scope) -> None:
        """Reject a construct, and report nothing else about the names that it binds."""
        self.refuse(node, f"a program may not use {what}", hint)
        scope.names.update(filter(None, map(stored_name, nodes_of(node))))

    def use(self, word: Word) -> None:
        if word.role in ("function", "class", "context", "value"):
            self.parsed.words[word.name] = word
        else:
            self.parsed.members.add(word.name)
        self.parsed.features.add(word.feature)
        if not word.own:
            self.parsed.strangers.add(word.name)

    def parameters(self, arguments: ast.arguments, scope: Scope) -> set[str]:
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

    def expression(self, node: ast.expr, scope: Scope) -> ast.expr:
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

    def bound_expression(self, bound: Bound, node: ast.Name, scope: Scope) -> ast.expr:
        """Check an expression from the table, in which the table's own names are not available.

        Problems are reported at its cell.
        """
        bindings, locate = self.bindings, self.locate
        self.bindings, self.locate = {}, lambda line, column: bound.place
        checked = self.expression(copy_at(bound.expression, node), scope)
        self.bindings, self.locate = bindings, locate
        return checked

    def comparison(self, node: ast.Compare, scope: Scope) -> ast.expr:
        if len(node.ops) != 1:
            self.refuse(node, "chained comparisons are not supported", "write one assert for each")
        node.left = self.expression(node.left, scope)
        node.comparators = [self.expression(item, scope) for item in node.comparators]
        return node

    def on_name(self, node: ast.Name, scope: Scope) -> ast.expr | None:
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

    def unknown_name(self, node: ast.Name, scope: Scope) -> None:
        known = {*self.vocabulary.names, *RESERVED, *self.bindings}
        reach: Scope | None = scope
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

    def on_constant(self, node: ast.Constant, scope: Scope) -> None:
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

    def on_call(self, node: ast.Call, scope: Scope) -> None:
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
        node.args = self.items(node.args, scope)
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

    def unpacked_keywords(self, keyword: ast.keyword, function: ast.expr, scope: Scope) -> None:
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
        self, node: ast.AST, name: str, function: ast.expr, scope: Scope, asked: bool = True
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

    def dotted_word(self, node: ast.Attribute, scope: Scope) -> Word | None:
        name = dotted_name(node)
        if name is None or scope.binds(name.split(".")[0]):
            return None
        return self.vocabulary.names.get(name)

    def in_namespace(self, node: ast.Attribute, scope: Scope) -> bool:
        """Whether this is a dotted name of the vocabulary, or would be one if it were known."""
        first = (dotted_name(node) or "").split(".")[0]
        if self.dotted_word(node, scope) is not None:
            return True
        return (
            first in self.namespaces
            and first not in self.vocabulary.names
            and not scope.binds(first)
        )

    def on_attribute(self, node: ast.Attribute, scope: Scope) -> ast.expr | None:
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

    def on_binop(self, node: ast.BinOp, scope: Scope) -> None:
        node.left = self.expression(node.left, scope)
        node.right = self.expression(node.right, scope)
        self.operator(node, node.op)
        if isinstance(node.op, GROWING) and grows_too_large(node):
            self.parsed.too_large.append(node)

    def operator(self, node: ast.AST, operator: ast.operator) -> None:
        if type(operator) not in BINARY_OPERATORS:
            self.refuse(node, f"a program may not use the operator {type(operator).__name__}")

    def on_unaryop(self, node: ast.UnaryOp, scope: Scope) -> None:
        node.operand = self.expression(node.operand, scope)

    def on_subscript(self, node: ast.Subscript, scope: Scope) -> None:
        node.value = self.expression(node.value, scope)
        node.slice = self.expression(node.slice, scope)
        number = isinstance(node.value, ast.Constant) and not isinstance(node.value.value, str)
        pair = isinstance(node.value, ast.List) and isinstance(node.slice, ast.Tuple)
        if number or pair:
            what = "a list has no element with two indices" if pair else "a number has no elements"
            self.refuse(node, what, "is a comma missing before the bracket?")

    def on_slice(self, node: ast.Slice, scope: Scope) -> None:
        for part in ("lower", "upper", "step"):
            value = getattr(node, part)
            if value is not None:
                setattr(node, part, self.expression(value, scope))

    def on_list(self, node: ast.List, scope: Scope) -> None:
        if type(node) is Numbers or as_numbers(node):
            return
        node.elts = self.items(node.elts, scope)

    def on_tuple(self, node: ast.Tuple, scope: Scope) -> None:
        node.elts = self.items(node.elts, scope)

    def on_dict(self, node: ast.Dict, scope: Scope) -> None:
        if any(key is None for key in node.keys):
            self.refuse(node, "a dict may not unpack another")
            return
        node.keys = [self.expression(key, scope) for key in node.keys if key is not None]
        node.values = [self.expression(value, scope) for value in node.values]

    def on_lambda(self, node: ast.Lambda, scope: Scope) -> None:
        inner = Scope(self.parameters(node.args, scope), scope)
        outer_function, self.in_function = self.in_function, False
        node.body = self.expression(node.body, inner)
        self.in_function = outer_function

    def on_ifexp(self, node: ast.IfExp, scope: Scope) -> None:
        node.test = self.expression(node.test, scope)
        node.body = self.expression(node.body, scope)
        node.orelse = self.expression(node.orelse, scope)

    def items(self, nodes: list[ast.expr], scope: Scope) -> list[ast.expr]:
        """Check the items of a call, list or tuple, the only places for `*`."""
        checked: list[ast.expr] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                node.value = self.expression(node.value, scope)
                checked.append(node)
            else:
                checked.append(self.expression(node, scope))
        return checked

    def on_starred(self, node: ast.Starred, scope: Scope) -> None:
        self.refuse(node, "`*` unpacks only into a call, a list or a tuple")

    def on_yield(self, node: ast.Yield, scope: Scope) -> None:
        if not self.in_function:
            self.refuse(node, "`yield` outside of a function")
        if node.value is not None:
            node.value = self.expression(node.value, scope)
