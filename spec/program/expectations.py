"""Splits a checked program in two: what the engine must report, and what the judge expects.

Each `assert` becomes `observe(index, value)`; each `with raises(...)`, `with warns(...)` and
`with quiet()` becomes a block that reports how it ended. The expectations stay here, as a list
of `Expectation`s, and are never passed to an engine.
"""

from __future__ import annotations

import ast
import cmath
import math
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from ..problems import Place, Problem, nearest
from ..values import Plain, plain_number
from .program import Expectation, Relation
from .syntax import BUILTINS, CONSTANTS, REPORTING, Numbers, nodes_of
from .vocabulary import Kind, Vocabulary

_RELATIONS: dict[type[ast.cmpop], Relation] = {
    ast.Eq: "equal", ast.NotEq: "different", ast.Lt: "less", ast.LtE: "at most",
    ast.Gt: "greater", ast.GtE: "at least",
}  # fmt: skip
_CONSTANT = BUILTINS | CONSTANTS
MAX_BITS = 64
MAX_INTEGER = 2**63


_EITHER = "either(...) lists literal alternatives for a whole expected value"
_EITHER_HINT = "such as `assert g == either([0.0], [1.0])`"


class NotLiteral(Exception):
    """The expression depends on the engine, so it cannot be an expected value."""


class TooLarge(Exception):
    """The expression is a literal that would take too long to work out."""


def split_expectations(
    tree: ast.Module,
    vocabulary: Vocabulary,
    kinds: Mapping[str, Kind],
    locate: Callable[[int, int], Place],
    problems: list[Problem],
    names_either: bool = True,
    lines: Mapping[int, str] = MappingProxyType({}),
) -> list[Expectation]:
    """Replace every expectation in `tree`, in place, and return them in the order of the text.

    `lines` are the lines of the text by their numbers, where the tree is what they say; an
    expectation on one line is then quoted as it is written.

    Where it is known that the program does not name `either`, no misplaced one is looked for.
    """
    splitter = _Splitter(vocabulary, kinds, locate, problems, lines)
    tree.body = splitter.block(tree.body)
    if names_either:
        splitter.refuse_either(tree)
    return splitter.expectations


def literal(node: ast.expr, vocabulary: Vocabulary) -> Plain:
    """The plain value of an expression that needs no engine.

    Raises `NotLiteral` for any other expression, `TooLarge` for a power beyond reason.
    """
    if isinstance(node, ast.Constant):
        return _constant(node)
    if isinstance(node, ast.Name):
        return _named(node.id, vocabulary)
    if type(node) is Numbers:
        return node.plain
    if isinstance(node, ast.List):
        return {"list": [literal(item, vocabulary) for item in node.elts]}
    if isinstance(node, ast.Tuple):
        return {"tuple": [literal(item, vocabulary) for item in node.elts]}
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {
            "dict": [
                [literal(key, vocabulary), literal(value, vocabulary)]
                for key, value in pairs
                if key
            ]
        }
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "either":
        return {"either": [literal(item, vocabulary) for item in node.args]}
    if isinstance(node, ast.UnaryOp | ast.BinOp):
        return _plain(_arithmetic(node, vocabulary))
    raise NotLiteral


def _constant(node: ast.Constant) -> Plain:
    if node.value is Ellipsis:
        raise NotLiteral
    return _plain(node.value)


def _plain(value: object) -> Plain:
    if isinstance(value, complex):
        return {"complex": [plain_number(value.real), plain_number(value.imag)]}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= MAX_INTEGER:
        raise TooLarge
    if isinstance(value, float):
        return plain_number(value)
    return value


def _named(name: str, vocabulary: Vocabulary) -> Plain:
    if name in ("inf", "nan"):
        return {"number": name}
    if name == "bool":  # the host's own word means the dtype, as in PyTorch
        return {"dtype": "bool"}
    if name == "pi":
        return math.pi
    word = vocabulary.names.get(name)
    if word is not None and word.role == "value":
        return {"dtype": name}
    raise NotLiteral


def _arithmetic(node: ast.expr, vocabulary: Vocabulary) -> float | int | complex:
    """Evaluate plain arithmetic on numbers, such as `-1.5` or `2 * 3.0 ** 2`."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool) or not isinstance(node.value, int | float | complex):
            raise NotLiteral
        return node.value
    if isinstance(node, ast.Name) and node.id in ("inf", "nan", "pi"):
        return {"inf": math.inf, "nan": math.nan, "pi": math.pi}[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _arithmetic(node.operand, vocabulary)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp):
        left, right = _arithmetic(node.left, vocabulary), _arithmetic(node.right, vocabulary)
        return _operate(node.op, left, right)
    raise NotLiteral


def _operate(
    operator: ast.operator, left: float | complex, right: float | complex
) -> float | int | complex:
    """The value of one operation. Raises `TooLarge` for what leaves 64 bits on the way there."""
    if any(isinstance(operand, int) and abs(operand) >= MAX_INTEGER for operand in (left, right)):
        raise TooLarge
    value = _operated(operator, left, right)
    overflowed = not isinstance(value, int) and cmath.isinf(value)
    if overflowed and cmath.isfinite(left) and cmath.isfinite(right):
        raise TooLarge
    return value


def _operated(
    operator: ast.operator, left: float | complex, right: float | complex
) -> float | int | complex:
    try:
        if isinstance(operator, ast.Add):
            return left + right
        if isinstance(operator, ast.Sub):
            return left - right
        if isinstance(operator, ast.Mult):
            return left * right
        if isinstance(operator, ast.Div):
            return left / right
        if isinstance(operator, ast.Pow):
            if isinstance(left, int) and isinstance(right, int):
                if left.bit_length() * right > 2 * MAX_BITS:
                    raise TooLarge
            return left**right
    except (OverflowError, ZeroDivisionError) as error:
        raise TooLarge from error
    raise NotLiteral


class _Splitter:
    def __init__(
        self,
        vocabulary: Vocabulary,
        kinds: Mapping[str, Kind],
        locate: Callable[[int, int], Place],
        problems: list[Problem],
        lines: Mapping[int, str],
    ) -> None:
        self.lines = lines
        self.vocabulary = vocabulary
        self.kinds = kinds
        self.locate = locate
        self.problems = problems
        self.expectations: list[Expectation] = []
        self.within = -1

    def refuse(self, node: ast.AST, message: str, hint: str = "") -> None:
        place = self.locate(getattr(node, "lineno", 1), getattr(node, "col_offset", 0))
        self.problems.append(Problem(place, message, hint))

    def expect(
        self, node: ast.stmt, relation: Relation, expected: Plain, source: str, pair: bool = False
    ) -> ast.Constant:
        """Record one expectation; the program reports under its index."""
        index = len(self.expectations)
        line = self.locate(node.lineno, 0).line
        self.expectations.append(
            Expectation(index, relation, expected, pair, line, source, self.within)
        )
        return ast.copy_location(ast.Constant(index), node)

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [self.statement(node) for node in body]

    def statement(self, node: ast.stmt) -> ast.stmt:
        if isinstance(node, ast.Assert):
            return self.assertion(node)
        outer = self.within
        if isinstance(node, ast.With):
            self.block_expectation(node)
        if isinstance(node, ast.For) and not counted(node.iter):
            self.nothing_is_expected_in(node)
        for part in ("body", "orelse"):
            inner = getattr(node, part, None)
            if isinstance(inner, list):
                setattr(node, part, self.block(inner))
        self.within = outer
        return node

    def nothing_is_expected_in(self, loop: ast.For) -> None:
        """An expectation passes if it was reached once, but an engine may yield too few items, so
        a loop over the engine's values must not contain any."""
        for node in ast.walk(loop):
            call = node.items[0].context_expr if isinstance(node, ast.With) else None
            block = isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
            if isinstance(node, ast.Assert) or (block and call.func.id in REPORTING):  # type: ignore[union-attr]
                self.refuse(
                    node,
                    "found an assert or block in a loop over the engine's values, which may yield too "
                    "few items",
                    "append to a list in the loop, and assert the contents of the list after it",
                )

    def block_expectation(self, node: ast.With) -> None:
        call = node.items[0].context_expr
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
            return
        name = call.func.id
        if name not in REPORTING:
            return
        if all(isinstance(statement, ast.Pass) for statement in node.body):
            self.refuse(node, f"the `with {name}(...)` block is empty, so it checks nothing")
        source = f"with {ast.unparse(call)}:"
        if name == "quiet":
            call.args = [self.expect(node, "quiet", None, source)]
            return
        sort = "warning" if name == "warns" else "refusal"
        named: list[str] = []
        for argument in call.args:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                self.known_kind(argument, argument.value, sort)
                named.append(argument.value)
        relation: Relation = (
            "warned" if name == "warns" else "refused" if name == "raises" else "may be refused"
        )
        call.args = [self.expect(node, relation, tuple(named), source)]
        if relation == "may be refused":
            self.within = len(self.expectations) - 1

    def known_kind(self, node: ast.Constant, kind: str, sort: str) -> None:
        known = self.kinds.get(kind)
        wanted = "error" if sort == "refusal" else sort
        if known is not None and known.sort != sort:
            block = "warns" if known.sort == "warning" else "raises"
            self.refuse(
                node,
                f"{kind!r} is a kind of {known.shown_sort}, not of {wanted}",
                f'write {block}("{kind}")',
            )
        elif known is None:
            of_sort = [other.name for other in self.kinds.values() if other.sort == sort]
            hint = (
                nearest(kind, of_sort)
                or f"the kinds are in errors.yaml: {', '.join(sorted(of_sort)[:8])}, ..."
            )
            self.refuse(node, f"{kind!r} is not a known kind of {wanted}", hint)

    def assertion(self, node: ast.Assert) -> ast.stmt:
        values, index = self.observed(node)
        name = ast.copy_location(ast.Name("observe", ast.Load()), node)
        call = ast.copy_location(ast.Call(name, [index, *values], []), node)
        return ast.copy_location(ast.Expr(call), node)

    def source(self, node: ast.stmt) -> str:
        line = self.lines.get(node.lineno, "")
        if node.end_lineno == node.lineno and line and line.isascii():  # columns count bytes
            return line[node.col_offset : node.end_col_offset]
        return ast.unparse(node)

    def observed(self, node: ast.Assert) -> tuple[list[ast.expr], ast.expr]:
        test = node.test
        source = self.source(node)
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            return self.compared(node, test, source)
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.refuse_constant(node, test.operand)
            return [test.operand], self.expect(node, "is", False, source)
        self.refuse_constant(node, test)
        return [test], self.expect(node, "is", True, source)

    def refuse_constant(self, node: ast.stmt, test: ast.expr) -> None:
        plain = isinstance(test, ast.Tuple | ast.List | ast.Dict | ast.Lambda) or _is_constant(test)
        if plain or self.is_literal(test):
            self.refuse(node, "this assert checks nothing: its value does not depend on the engine")

    def is_literal(self, node: ast.expr) -> bool:
        try:
            literal(node, self.vocabulary)
        except NotLiteral:
            return False
        except TooLarge:
            return True
        return True

    def compared(
        self, node: ast.Assert, test: ast.Compare, source: str
    ) -> tuple[list[ast.expr], ast.expr]:
        left, right, operator = test.left, test.comparators[0], test.ops[0]
        if _same(left, right):
            self.refuse(node, "this assert checks nothing: it compares an expression with itself")
        elif all(self.is_literal(side) or _is_constant(side) for side in (left, right)):
            self.refuse(node, "this assert checks nothing: neither side depends on the engine")
        if isinstance(operator, ast.In | ast.NotIn):
            return self.contained(
                node, left, right, "contains" if isinstance(operator, ast.In) else "lacks", source
            )
        if isinstance(operator, ast.Is | ast.IsNot):
            return self.identical(node, test, isinstance(operator, ast.Is), source)
        relation = _RELATIONS[type(operator)]
        if self.is_literal(left) and not self.is_literal(right):
            self.refuse(
                left, "the expected value belongs on the right", f"swap the two sides of `{source}`"
            )
        try:
            expected = literal(right, self.vocabulary)
        except NotLiteral:
            return [left, right], self.expect(node, relation, None, source, pair=True)
        except TooLarge:
            self.refuse(right, "the expected value does not fit 64 bits")
            return [left], self.expect(node, relation, None, source)
        self.refuse_uneven(right, expected)
        self.refuse_misplaced_either(right, relation)
        return [left], self.expect(node, relation, expected, source)

    def contained(
        self, node: ast.Assert, left: ast.expr, right: ast.expr, relation: Relation, source: str
    ) -> tuple[list[ast.expr], ast.expr]:
        try:
            expected = literal(left, self.vocabulary)
        except (NotLiteral, TooLarge):
            self.refuse(
                node,
                "`in` expects a literal on its left",
                'such as `assert "Mul" in y.grad_fn.name()`',
            )
            expected = None
        return [right], self.expect(node, relation, expected, source)

    def identical(
        self, node: ast.Assert, test: ast.Compare, positive: bool, source: str
    ) -> tuple[list[ast.expr], ast.expr]:
        right = test.comparators[0]
        relation: Relation = "is" if positive else "is not"
        if isinstance(right, ast.Constant) and (
            right.value is None or isinstance(right.value, bool)
        ):
            return [test.left], self.expect(node, relation, right.value, source)
        if self.is_literal(right) and not isinstance(right, ast.Name):
            self.refuse(
                node,
                "`is` compares with None, True, False or another object",
                "use `==` for a value",
            )
        same = ast.copy_location(ast.Compare(test.left, [ast.Is()], [right]), test)
        return [same], self.expect(node, "is", positive, source)

    def refuse_either(self, tree: ast.Module) -> None:
        """An `either` that remains after all expected values are taken out is misplaced."""
        for part in nodes_of(tree):
            if type(part) is ast.Name and part.id == "either":
                self.refuse(part, _EITHER, _EITHER_HINT)

    def refuse_misplaced_either(self, node: ast.expr, relation: Relation) -> None:
        for call in nodes_of(node):  # all that a literal can call is `either`
            if not isinstance(call, ast.Call):
                continue
            if call is not node or relation not in ("equal", "different"):
                self.refuse(call, _EITHER, _EITHER_HINT)
            elif len(call.args) < 2 or call.keywords:
                self.refuse(call, "either(...) needs at least two alternatives", _EITHER_HINT)

    def refuse_uneven(self, node: ast.expr, expected: Plain) -> None:
        """Numbers and lists mixed, or lists of unequal length, are the value of no tensor."""
        if isinstance(node, ast.Tuple | ast.Call):
            inner = expected["tuple" if isinstance(node, ast.Tuple) else "either"]
            items = node.elts if isinstance(node, ast.Tuple) else node.args
            for item, value in zip(items, inner, strict=True):
                self.refuse_uneven(item, value)
        elif isinstance(node, ast.List) and _numbers_only(expected) and _shape(expected) is None:
            self.refuse(node, "the rows of the expected value differ in length")


def _is_constant(node: ast.expr) -> bool:
    """Whether an expression uses no word of the engine and no variable, so never changes."""
    if isinstance(node, ast.IfExp):
        return _is_constant(node.body) and _is_constant(node.orelse)
    return all(part.id in _CONSTANT for part in nodes_of(node) if isinstance(part, ast.Name))


def _same(one: ast.AST, other: ast.AST) -> bool:
    """Whether two expressions are the same, but for their positions."""
    if type(one) is not type(other):
        return False
    return all(
        _same_part(getattr(one, name, None), getattr(other, name, None)) for name in one._fields
    )


def _same_part(one: object, other: object) -> bool:
    if isinstance(one, ast.AST) and isinstance(other, ast.AST):
        return _same(one, other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same_part, one, other))
    return type(one) is type(other) and repr(one) == repr(other)


def _numbers_only(value: Plain) -> bool:
    if isinstance(value, dict) and "list" in value:
        return all(_numbers_only(item) for item in value["list"])
    return isinstance(value, int | float) or (
        isinstance(value, dict) and ("number" in value or "complex" in value)
    )


def _shape(value: Plain) -> tuple[int, ...] | None:
    if not (isinstance(value, dict) and "list" in value):
        return ()
    items: Iterable[Plain] = value["list"]
    shapes = {_shape(item) for item in items}
    if len(shapes) > 1 or None in shapes:
        return None
    inner = shapes.pop() if shapes else ()
    return (len(value["list"]), *(inner or ()))


def counted(iterable: ast.expr) -> bool:
    """Whether it is known from the program alone how many items a loop has: it goes over a list, a
    tuple, a text or `range`, or over several of them with `zip` or `enumerate`."""
    if isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name):
        if iterable.func.id == "range":
            return True
        return iterable.func.id in ("enumerate", "zip") and all(map(counted, iterable.args))
    return isinstance(iterable, ast.List | ast.Tuple | ast.Constant)
