"""Python's syntax as programs may use it: what is allowed, what it is called, and small helpers
for its trees."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

MAX_TEXT = 20_000
MAX_INTEGER = 2**63
MAX_NESTING = 60
MAX_ITEMS = 1_000_000
MAX_KINDS = 20
GROWING = (ast.Pow, ast.LShift, ast.Mult)
"""Operators of which a few literals make a number or a list that takes all memory."""
_POSITION = ("lineno", "col_offset", "end_lineno", "end_col_offset")
_DEEPEST = 8
"""How deep lists of numbers are nested at most to be known as such."""
bare_node: Any = ast.AST.__new__  # makes a node of any type, with no field yet

# Words of the language itself. `builtins` are Python's own; the others are lowered by us.
BUILTINS = frozenset(
    {"range", "len", "list", "tuple", "repr", "float", "int", "bool", "enumerate", "zip", "super"}
)
BLOCKS = frozenset({"raises", "may_raise", "warns", "quiet", "thread"})
REPORTING = BLOCKS - {"thread"}
EXPECTED_ONLY = frozenset({"either"})
TRACE = frozenset({"trace", "traced"})
CONSTANTS = frozenset({"inf", "nan", "pi"})
RESERVED = BUILTINS | BLOCKS | EXPECTED_ONLY | TRACE | CONSTANTS
RUNTIME = frozenset({
    "observe", "ended", "recorded", "run_in_thread", "get_attribute", "set_attribute",
    "delete_attribute", "get_method", "Exception",
})  # fmt: skip
MAX_PROBLEMS = 20
SPECIAL_METHODS = frozenset({"__init__"})
DECORATORS = frozenset({"staticmethod"})

STATEMENTS = (
    ast.Assign, ast.AugAssign, ast.Expr, ast.Assert, ast.With, ast.FunctionDef, ast.ClassDef,
    ast.Return, ast.For, ast.If, ast.Delete, ast.Pass,
)  # fmt: skip
EXPRESSIONS = (
    ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.BinOp, ast.UnaryOp, ast.Compare,
    ast.Subscript, ast.Slice, ast.List, ast.Tuple, ast.Dict, ast.Lambda, ast.IfExp, ast.Starred,
    ast.Yield,
)  # fmt: skip
BINARY_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@",
    ast.FloorDiv: "//", ast.Mod: "%", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
UNARY_OPERATORS: dict[type[ast.unaryop], str] = {
    ast.USub: "-", ast.UAdd: "+", ast.Not: "not", ast.Invert: "~",
}  # fmt: skip
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


class Numbers(ast.List):
    """A list, or lists of lists, of plain numbers: `plain` is its value.

    Most of what a program consists of are such numbers. They have no names to check or to replace,
    so nothing looks into them once they are known.
    """

    plain: Any


Numbers.__name__ = ast.List.__name__  # by which visitors know it


def as_numbers(node: ast.List) -> bool:
    """Make a list of plain numbers a `Numbers`; false, and no change, if it is another list."""
    plain = _plain_list(node, 0)
    if plain is None:
        return False
    node.__class__ = Numbers
    node.plain = plain  # type: ignore[attr-defined]
    return True


def _plain_list(node: ast.List, depth: int) -> dict[str, Any] | None:
    values: list[Any] = []
    for item in node.elts:
        if "lineno" not in item.__dict__:  # a table's list, which has its positions yet to come
            return None
        kind = type(item)
        negative = False
        if kind is ast.UnaryOp and type(item.op) is ast.USub:  # type: ignore[attr-defined]
            negative, item = True, item.operand  # type: ignore[attr-defined]
            kind = type(item)
        if kind is ast.Constant:
            value = item.value  # type: ignore[attr-defined]
            if type(value) is float:
                if not -math.inf < value < math.inf:
                    return None
            elif type(value) is not int or value >= MAX_INTEGER:
                return None
            values.append(-value if negative else value)
        elif kind is ast.List and not negative and depth < _DEEPEST:
            inner = _plain_list(item, depth + 1)  # type: ignore[arg-type]
            if inner is None:
                return None
            values.append(inner)
        else:
            return None
    return {"list": values} if node.elts else None


Position: TypeAlias = Mapping[str, Any]
TOP: Position = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}


def position_in(node: ast.AST, around: Position) -> Position:
    """A node's position, or where it lacks one, that of the node around it, among other fields."""
    made = node.__dict__
    if "lineno" in made and made.get("end_lineno") is not None:
        return made
    return {name: around[name] if made.get(name) is None else made[name] for name in _POSITION}


def position_below(node: ast.AST, around: Position) -> None:
    """Give a node that has no position that of the node around it, and so on below it.

    As `ast.fix_missing_locations`, but it takes a node that has a position as complete.
    """
    if has_positions(node):
        return
    if "lineno" in node._attributes:
        around = position_in(node, around)
        node.__dict__.update({name: around[name] for name in _POSITION})
    for child in node.elts if type(node) is Numbers else children_of(node):
        position_below(child, around)


def has_positions(node: ast.AST) -> bool:
    """Whether a node and what is below it have positions."""
    made = node.__dict__
    placed = "lineno" in made and made.get("end_lineno") is not None
    return placed and (type(node) is not Numbers or has_positions(node.elts[0]))


def children_of(node: ast.AST) -> list[ast.AST]:
    """The nodes right below a node, in the order of its fields.

    Like `ast.iter_child_nodes`, but faster: loading a specification calls it hundreds of thousands
    of times.
    """
    found: list[ast.AST] = []
    if type(node) is Numbers:
        return found
    for value in node.__dict__.values():
        if isinstance(value, ast.AST):
            found.append(value)
        elif type(value) is list:
            found += [item for item in value if isinstance(item, ast.AST)]
    return found


def nodes_of(node: ast.AST) -> list[ast.AST]:
    """A node and all below it, level by level, as `ast.walk` gives them."""
    found = [node]
    for each in found:
        found += children_of(each)
    return found


def bound_names(body: list[ast.stmt]) -> set[str]:
    """The names that the statements of one scope bind, not those of scopes within it.

    Only statements that a program may use are looked into.
    """
    names: set[str] = set()
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind is ast.Assign:
            pending += node.targets  # type: ignore[attr-defined]
        elif kind is ast.Name:  # reached as a target only
            if type(node.ctx) is ast.Store:  # type: ignore[attr-defined]
                names.add(node.id)  # type: ignore[attr-defined]
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Tuple | ast.List):
            pending += node.elts
        elif isinstance(node, ast.Starred):
            pending.append(node.value)
        elif isinstance(node, ast.AugAssign):
            pending.append(node.target)
        elif isinstance(node, ast.With):
            pending += [item.optional_vars for item in node.items if item.optional_vars is not None]
            pending += node.body
        elif isinstance(node, ast.For):
            pending.append(node.target)
            pending += [*node.body, *node.orelse]
        elif isinstance(node, ast.If):
            pending += [*node.body, *node.orelse]
    return names


def own_nodes(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Every node of some statements but those of functions and classes within them."""
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            pending += children_of(node)


def dotted_name(node: ast.expr) -> str | None:
    """`a.b.c` as text when the expression is a bare chain of names, else None."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    return ".".join(reversed(parts))


def first_store(body: list[ast.stmt], name: str) -> ast.AST:
    """The node by which some statements first bind a name; their first if none does."""
    for statement in body:
        for node in nodes_of(statement):
            if stored_name(node) == name:
                return node
    return body[0]


def stored_name(node: ast.AST) -> str:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    return ""


def grows_too_large(node: ast.BinOp) -> bool:
    """Whether an operation on literals gives an integer beyond 128 bits, or too long a list."""
    left, right = integer_of(node.left), integer_of(node.right)
    if isinstance(node.op, ast.Mult) and (left is None) != (right is None):
        sequence = node.right if left is not None else node.left
        times = left if left is not None else right
        return length_of(sequence) * (times or 0) > MAX_ITEMS
    value = integer_of(node)
    literal = left is not None and right is not None
    negative = isinstance(node.op, ast.Pow) and right is not None and right < 0
    return literal and not negative and value is None


def length_of(node: ast.expr) -> int:
    """How many items a literal sequence has, 0 for anything else."""
    if isinstance(node, ast.List | ast.Tuple):
        return len(node.elts)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return len(node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for sequence, times in ((node.left, node.right), (node.right, node.left)):
            if length := length_of(sequence):
                return length * max(0, integer_of(times) or 0)
    return 0


def integer_of(node: ast.expr) -> int | None:
    """The integer that an expression of literals is, or None for any other or one beyond 128 bits."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = integer_of(node.operand)
        return None if value is None else -value
    if not isinstance(node, ast.BinOp):
        return None
    left, right = integer_of(node.left), integer_of(node.right)
    if left is None or right is None:
        return None
    if isinstance(node.op, ast.Pow):
        return left**right if right >= 0 and right * left.bit_length() <= 128 else None
    if isinstance(node.op, ast.LShift):
        return left << right if 0 <= right <= 64 else None
    value = {ast.Mult: left * right, ast.Add: left + right, ast.Sub: left - right}.get(
        type(node.op)
    )
    return value if value is not None and value.bit_length() <= 128 else None


def copy_at(expression: ast.expr, node: ast.expr) -> ast.expr:
    """A copy of a table's expression, at the position of the table's name."""
    copied: ast.expr = fresh(expression, {name: getattr(node, name) for name in _POSITION})
    return copied


def fresh(node: Any, place: Mapping[str, int] | None = None) -> Any:
    """A copy of a tree, to be rewritten in place; with `place`, all of it is positioned there.

    Several times as fast as copy.deepcopy. The nodes are made without their constructors, which
    from Python 3.13 on want every required field at once.
    """
    if type(node) is Numbers and place is None:
        return node  # which nothing changes
    copied = bare_node(type(node))
    made = copied.__dict__
    made.update(node.__dict__)
    if place is not None and "lineno" in made:
        made.update(place)
    for name in node._fields:
        value = made.get(name)
        if isinstance(value, ast.AST):
            if value._fields:  # not Load(), Add() and the like, which are never changed
                made[name] = fresh(value, place)
        elif type(value) is list:
            made[name] = [
                fresh(item, place) if isinstance(item, ast.AST) else item for item in value
            ]
    return copied


def is_super_init(function: ast.Attribute) -> bool:
    """Whether this is the `super().__init__` that a module's own __init__ starts with."""
    call = function.value
    return (
        function.attr == "__init__"
        and isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "super"
        and not call.args
    )


STATEMENT_NAMES = {
    "Import": "`import`",
    "ImportFrom": "`import`",
    "Try": "`try`",
    "TryStar": "`try`",
    "While": "`while`",
    "Match": "`match`",
    "Global": "`global`",
    "Nonlocal": "`nonlocal`",
    "Raise": "`raise`",
    "Break": "`break`",
    "Continue": "`continue`",
    "AsyncFunctionDef": "`async`",
    "AsyncFor": "`async`",
    "AsyncWith": "`async`",
    "AnnAssign": "an annotation",
    "TypeAlias": "`type`",
}


def statement_hint(node: ast.stmt) -> str:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return "a program imports nothing; its words come from the vocabulary"
    if isinstance(node, ast.Try):
        return 'use `with raises("kind"):` to say how a block must end'
    if isinstance(node, ast.While):
        return "use `for` over a list or range(n)"
    if isinstance(node, ast.Raise):
        return 'use `stop("text")` to raise an error of the program\'s own'
    return ""


def expression_name(node: ast.expr) -> str:
    names = {
        "BoolOp": "`and` or `or`",
        "JoinedStr": "an f-string",
        "ListComp": "a comprehension",
        "SetComp": "a comprehension",
        "DictComp": "a comprehension",
        "GeneratorExp": "a generator expression",
        "Await": "`await`",
        "NamedExpr": "`:=`",
        "Set": "a set",
        "YieldFrom": "`yield from`",
    }
    return names.get(type(node).__name__, type(node).__name__)


def expression_hint(node: ast.expr) -> str:
    if isinstance(node, ast.BoolOp):
        return "write one assert for each part"
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        return "use `for`, or write the list out"
    return ""
