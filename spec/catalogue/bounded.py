"""Evaluates formulas within limits on array sizes and total work.

A formula may come from a stranger, and `9**9**9`, `zeros(10**11)` or `[0] * 10**10` would exhaust
memory or time. So each operation and call of a formula is checked before it is executed: no array
has more than `MAX_ELEMENTS` elements and no integer more than 64 bits, and the cost of an
operation, estimated from its operands' sizes, is deducted from a budget.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import fourier, matrices

MAX_ELEMENTS = 4096
MAX_STEP = 4_000_000
"""The most elements that one operation may touch."""
MAX_LENGTH = 600
MAX_NODES = 300
MAX_BITS = 64
WORK = 4e8
"""The budget for all formulas of one file, about a second."""
_STEP = 3000
"""The fixed cost of a call."""

_OPERATORS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
    ast.MatMult: operator.matmul, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.BitXor: operator.xor, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
_FIRST, _REST, _LAST = slice(1), slice(1, None), slice(2, None)
_COUNTS = {
    "zeros": _FIRST, "ones": _FIRST, "full": _FIRST, "identity": _FIRST, "eye": slice(2),
    "add_at": _FIRST, "tile": _REST, "repeat": _REST, "split": _REST, "array_split": _REST,
    "broadcast_to": _REST, "diff": _REST, "diag": _REST, "multigammaln": _REST,
    "zeros_like": _REST, "ones_like": _REST, "full_like": _LAST, "spread": _LAST,
}  # fmt: skip
"""Functions whose result grows with the numbers that they are given, and in which arguments."""
_POWERS: dict[str, float] = {
    "diag": 2, "cov": 2, "corrcoef": 2, "inv": 2, "det": 2, "slogdet": 2, "solve": 2, "eigh": 2,
    "qr": 2, "cholesky": 2, "pinv": 2, "matrix_power": 2, "norm": 2, "products_of_others": 2,
    "through_running_products": 1.5, "meshgrid": 2, "sum_around": 2, "distances": 2,
    "row_distances": 2, "ctc": 1.5, "label_margins": 2,
    **matrices.POWERS, **fourier.POWERS,
}  # fmt: skip
"""Functions whose cost grows with a power of their operand's size."""
_SQUARE = frozenset({"eye", "identity"})
"""Functions that make a square matrix if they are given one number."""
KEYWORDS = frozenset({
    "axis", "axes", "axis1", "axis2", "keepdims", "nan", "posinf", "neginf", "dx", "x", "n", "k",
    "offset", "ddof", "correction", "bias", "rowvar", "method", "ord", "side", "indexing", "a_min",
    "a_max", "min", "max", "prepend", "append", "initial", "repeats", "reps", "fill_value", "shape",
    "decimals", "N", "M", "b", "source", "destination", "shift", "hermitian", "rcond", "fweights",
    "aweights", "q", "obj", "values", "indices_or_sections",
})  # fmt: skip
"""The keywords that a formula may use: none says what to write into, or of which type."""


class TooMuch(ArithmeticError):
    """A formula would take more memory or time than it may."""


class Meter:
    """The remaining budget, and whether the work done depends on more than shapes."""

    def __init__(self) -> None:
        self.left = WORK
        self.by_value = False

    def refill(self) -> None:
        """Start with the whole allowance, for another file."""
        self.left = WORK

    def charge(self, work: float) -> None:
        self.left -= work
        if self.left < 0:
            raise TooMuch("the formulas of this file are too expensive in total")


METER = Meter()


def shape_fault(tree: ast.AST, text: str) -> str:
    """Why a formula's text is more than a formula may be, or the empty string."""
    if len(text) > MAX_LENGTH:
        return f"it has {len(text)} characters; {MAX_LENGTH} are allowed"
    nodes = list(ast.walk(tree))
    if len(nodes) > MAX_NODES:
        return f"it has too many parts; {MAX_NODES} are allowed"
    for node in nodes:
        if isinstance(node, ast.Compare) and (
            len(node.ops) != 1 or type(node.ops[0]) not in _OPERATORS
        ):
            return "a comparison has two sides, and one of == != < <= > >="
        if isinstance(node, ast.keyword) and node.arg not in KEYWORDS:
            return f"a formula has no keyword {node.arg!r}"
        if isinstance(node, ast.Call) and not isinstance(node.func, ast.Name):
            return "a formula calls functions by their names"
        if isinstance(node, ast.Constant) and isinstance(node.value, bytes):
            return "a formula has no bytes"
    return ""


class _Guard(ast.NodeTransformer):
    """Puts a checked call in the place of every operation, call and index."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        return self.guarded("_binary", node, type(node.op).__name__, node.left, node.right)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        name = type(node.ops[0]).__name__
        return self.guarded("_binary", node, name, node.left, node.comparators[0])

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return self.guarded("_index", node, "", node.value, self.as_value(node.slice))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        assert isinstance(node.func, ast.Name)
        called = ast.Call(
            ast.Name("_call", ast.Load()),
            [ast.Constant(node.func.id), *map(self.visit, node.args)],
            [ast.keyword(item.arg, self.visit(item.value)) for item in node.keywords],
        )
        return ast.copy_location(called, node)

    def guarded(self, guard: str, node: ast.expr, name: str, *parts: ast.expr) -> ast.expr:
        before = [ast.Constant(name)] if name else []
        call = ast.Call(ast.Name(guard, ast.Load()), [*before, *map(self.visit, parts)], [])
        return ast.copy_location(call, node)

    def as_value(self, index: ast.expr) -> ast.expr:
        """An index as an expression: `1:` becomes `slice(1, None, None)`."""
        if isinstance(index, ast.Tuple):
            return ast.Tuple([self.as_value(item) for item in index.elts], ast.Load())
        if not isinstance(index, ast.Slice):
            return index
        ends = (index.lower, index.upper, index.step)
        parts = [ast.Constant(None) if part is None else part for part in ends]
        return ast.Call(ast.Name("slice", ast.Load()), parts, [])


def guarded(tree: ast.Expression) -> ast.Expression:
    """The same formula with every operation checked before it is carried out."""
    made: ast.Expression = _Guard().visit(tree)
    return ast.fix_missing_locations(made)


def guards(functions: Mapping[str, Any]) -> dict[str, Any]:
    """The functions that a guarded formula calls."""

    def call(name: str, *arguments: Any, **keywords: Any) -> Any:
        function = functions[name]
        _check_call(name, arguments, keywords)
        found = function(*arguments, **keywords)
        _weight(found)
        return found

    return {"_call": call, "_binary": _binary, "_index": _index}


def _binary(name: str, left: Any, right: Any) -> Any:
    kind = getattr(ast, name)
    METER.charge(_STEP + _step(_weight(left) * _weight(right)))
    if any(isinstance(side, str) for side in (left, right)):
        raise TooMuch("text is not an operand")
    if not any(isinstance(side, np.ndarray) for side in (left, right)):
        _check_plain(kind, left, right)
    found = _OPERATORS[kind](left, right)
    _weight(found)
    return found


def _check_plain(kind: type[ast.AST], left: Any, right: Any) -> None:
    """Hold an operation on Python's own numbers and sequences to what fits."""
    integers = [side for side in (left, right) if isinstance(side, int | np.integer)]
    for side in (left, right):
        if isinstance(side, list | tuple) and kind is ast.Mult and integers:
            METER.by_value = True
            if len(side) * int(integers[0]) > MAX_ELEMENTS:
                raise TooMuch(f"a list of more than {MAX_ELEMENTS} items")
    if len(integers) == 2 and kind in (ast.Pow, ast.LShift):
        METER.by_value = True
        base, exponent = (int(number) for number in integers)
        bits = exponent if kind is ast.LShift else exponent * base.bit_length()
        if bits > 2 * MAX_BITS:
            raise TooMuch(f"an integer of more than {MAX_BITS} bits")


def _index(owner: Any, index: Any) -> Any:
    METER.charge(_STEP + _step(_weight(owner) * _weight(index)))
    found = owner[index]
    _weight(found)
    return found


def _check_call(name: str, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> None:
    """Deduct the cost of a call from the budget. Raises `TooMuch` if it is too expensive."""
    given = [*arguments, *keywords.values()]
    if name != "einsum" and any(isinstance(item, str) for item in arguments):
        raise TooMuch("text is not an argument")
    size = float(math.prod(_weight(item) for item in given))
    size = _step(size) ** _POWERS.get(name, 1)
    if name in ("arange", "range"):
        METER.by_value = True
        size *= _steps(arguments)
    elif name in _COUNTS:
        METER.by_value = True
        size *= math.prod(_numbers(arguments[_COUNTS[name]])) ** _POWERS.get(name, 1)
    counted = [keywords[key] for key in keywords if key not in ("nan", "posinf", "neginf", "dx")]
    size *= math.prod(_numbers(counted)) ** _POWERS.get(name, 1)
    if name in _SQUARE and "M" not in keywords and len(arguments) < 2:
        size *= math.prod(_numbers([*arguments, *counted]))
    METER.charge(_STEP + _step(size))


def _step(size: float) -> float:
    if not size <= MAX_STEP:
        raise TooMuch(f"an operation on more than {MAX_STEP} elements")
    return size


def _steps(arguments: Sequence[Any]) -> float:
    """How many numbers a range has."""
    numbers = [float(item) for item in arguments]
    start, stop = (numbers[0], numbers[1]) if len(numbers) > 1 else (0.0, numbers[0])
    step = numbers[2] if len(numbers) > 2 else 1.0
    count = (stop - start) / step if step else 0.0
    if not abs(count) <= MAX_ELEMENTS:
        raise TooMuch(f"a range of more than {MAX_ELEMENTS} numbers")
    return max(1.0, abs(count))


def _numbers(values: Sequence[Any]) -> Iterator[int]:
    """The absolute values of all integers in arguments, none below 1."""
    for value in values:
        if isinstance(value, list | tuple | range):
            yield from _numbers(value)
        elif isinstance(value, np.ndarray):
            yield from (
                max(1, abs(int(item))) for item in value.ravel() if math.isfinite(item.real)
            )
        elif isinstance(value, int | np.integer):
            yield max(1, abs(int(value)))


def _weight(value: Any, depth: int = 0) -> int:
    """How many elements a value has. Raises `TooMuch` for what no formula may hold."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "biufc":
            raise TooMuch(f"an array of {value.dtype} instead of numbers")
        if value.size > MAX_ELEMENTS:
            raise TooMuch(f"an array of more than {MAX_ELEMENTS} elements")
        return max(1, value.size)
    if isinstance(value, int) and abs(value) >= 2 ** (MAX_BITS - 1):
        raise TooMuch(f"an integer of more than {MAX_BITS} bits")
    if (
        value is None
        or value is ...
        or isinstance(value, bool | int | float | complex | np.number | np.bool_)
    ):
        return 1
    if isinstance(value, list | tuple | range):
        if len(value) > MAX_ELEMENTS or depth > 16:
            raise TooMuch(f"a list of more than {MAX_ELEMENTS} items")
        return max(1, sum(_weight(item, depth + 1) for item in value))
    if isinstance(value, slice):
        return 1
    if isinstance(value, str) and len(value) <= MAX_BITS:
        return 1
    raise TooMuch(f"a {type(value).__name__}, where numbers are expected")
