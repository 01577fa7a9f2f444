"""The program of a script, with plain asserts, and `try` where an error is expected."""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping
from typing import Any

from gradspec.adapters.framework.engine import EngineUnavailable
from gradspec.spec.model import USUAL_TOLERANCE, Case, widened
from gradspec.spec.program.program import Expectation
from gradspec.spec.program.python_form import PythonFormer, Statements
from gradspec.spec.program.syntax import Position
from gradspec.spec.program.vocabulary import Kind
from gradspec.spec.values import Plain, number_of

from ...judging.compare import EPSILON, PLAIN_NUMBER
from . import helpers
from .exact import (
    carried_rules,
    confusable,
    errors_carry_kinds,
    may_be_empty,
    own_rules,
    rules_for,
)
from .names import Names

_COMPARISONS: dict[str, type[ast.cmpop]] = {
    "equal": ast.Eq, "different": ast.NotEq, "less": ast.Lt, "at most": ast.LtE,
    "greater": ast.Gt, "at least": ast.GtE, "contains": ast.In, "lacks": ast.NotIn,
}  # fmt: skip
_EXACT_BITS = 64
"""A float that is a multiple of 1 / _EXACT_BITS is computed without rounding by plain arithmetic."""


@functools.cache
def _reference() -> Any:
    from gradspec.adapters.framework.registry import open_engine

    return open_engine("reference")


def _forms(case: Case) -> dict[int, Plain]:
    """What each assert reads on the reference engine, which tells a tensor from a tuple of them.
    Empty where that engine does not run the case to its end."""
    try:
        found = _reference().run(case.program, 10.0)
    except EngineUnavailable:
        return {}
    if found.end.how != "finished":
        return {}
    forms: dict[int, Plain] = {}
    for index, value in found.observed:
        forms.setdefault(index, value)
    return forms


class Writer(PythonFormer):
    """The lowered program as a person writes it: asserts, and `try` where an error is expected."""

    def __init__(self, case: Case, engine: Names, kinds: Mapping[str, Kind]) -> None:
        super().__init__(engine.mediated)
        self.case = case
        self.engine = engine
        self.kinds = kinds
        self.forms = _forms(case)
        self.rules = own_rules(engine.impl) if kinds else None
        self.errors_carry_kinds = bool(kinds) and errors_carry_kinds(engine.impl)
        self.shapes = False
        """Whether tensors without elements are compared."""
        self.perhaps = False
        """Whether the statement being written may not be reached."""
        self.unreached: dict[int, str] = {}
        self.words = set(case.program.words) | set(helpers.RENAMED)
        self.special = {
            **self.special,
            ast.Call: self.call,
            ast.Expr: self.expression,
            ast.FunctionDef: self.function,
            ast.For: self.loop,
            ast.If: self.condition,
        }

    def name(self, node: ast.Name, around: Position) -> ast.expr:
        if node.id in self.words and isinstance(node.ctx, ast.Load):
            return ast.Name(self.engine.word(node.id), node.ctx)
        return node

    def call(self, node: ast.Call, around: Position) -> ast.expr:
        if isinstance(node.func, ast.Name) and node.func.id == "traced":
            return ast.Name("notes", ast.Load())
        formed: ast.expr = (self.method if self.mediated else self.copied)(node, around)
        return formed

    # --- asserts ---

    def expression(self, node: ast.Expr, around: Position) -> Statements:
        call = node.value
        if not (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id == "observe"
        ):
            return ast.Expr(self.formed(call))
        index, *values = call.args
        expectation = self.expectation(index)
        return [*self.mark(expectation), *self.asserted(expectation, values)]

    def asserted(self, expectation: Expectation, values: list[ast.expr]) -> list[ast.stmt]:
        """An assert as statements."""
        form = self.forms.get(expectation.index, NotImplemented)
        sides = [self.formed(value) for value in values]
        if expectation.relation in ("is", "is not"):
            return [self.identical(expectation, sides[0])]
        return self.compared(expectation, sides, form)

    # --- what must be reached ---

    def mark(self, expectation: Expectation) -> list[ast.stmt]:
        """unreached.pop(2, None), where the script may pass by"""
        if not self.perhaps:
            return []
        self.unreached[expectation.index] = expectation.source
        return ast.parse(f"unreached.pop({expectation.index}, None)").body

    def at_the_end(self) -> list[ast.stmt]:
        return ast.parse("assert not unreached, unreached").body if self.unreached else []

    def inside(self, body: list[ast.stmt], perhaps: bool = True) -> list[ast.stmt]:
        """Statements that may not be reached."""
        before, self.perhaps = self.perhaps, self.perhaps or perhaps
        formed = self.statements(body)
        self.perhaps = before
        return formed

    def function(self, node: ast.FunctionDef, around: Position) -> ast.stmt:
        before, self.perhaps = self.perhaps, True
        formed: ast.stmt = self.copied(node, around)
        self.perhaps = before
        return formed

    def loop(self, node: ast.For, around: Position) -> ast.stmt:
        surely = isinstance(node.iter, ast.List | ast.Tuple) and any(
            not isinstance(item, ast.Starred) for item in node.iter.elts
        )
        body = self.inside(node.body, perhaps=not surely)
        return ast.For(self.formed(node.target), self.formed(node.iter), body, [])

    def condition(self, node: ast.If, around: Position) -> ast.stmt:
        test = self.formed(node.test)
        return ast.If(test, self.inside(node.body), self.inside(node.orelse))

    def expectation(self, index: ast.expr) -> Expectation:
        """The expectation of an observation's number."""
        assert isinstance(index, ast.Constant)
        return self.case.expectations[int(str(index.value))]

    def identical(self, expectation: Expectation, side: ast.expr) -> ast.stmt:
        """assert E is None; assert E is True; assert a is not b"""
        positive = expectation.relation == "is"
        if isinstance(side, ast.Compare) and isinstance(side.ops[0], ast.Is):
            if expectation.expected is not positive:
                side.ops = [ast.IsNot()]
            return ast.Assert(side, None)
        operator = ast.Is() if positive else ast.IsNot()
        test = ast.Compare(side, [operator], [ast.Constant(expectation.expected)])
        return ast.Assert(test, side if _is_simple(side) else None)

    def compared(
        self, expectation: Expectation, sides: list[ast.expr], form: Plain
    ) -> list[ast.stmt]:
        """found = E; assert found == ..., found"""
        expected, right = expectation.expected, None
        forms = [form]
        if expectation.pair:
            forms = form["pair"] if form is not NotImplemented else [form, form]
            right, numbers = sides[1], forms[1]
        else:
            numbers = expected
        careful = self.careful(expectation, sides[0], numbers)
        found = self.raw(sides[0], forms[0]) if careful else self.read(sides[0], forms[0])
        if right is not None:
            wanted = self.raw(right, forms[1]) if careful else self.read(right, forms[1])
            either: list[ast.expr] = [wanted or right]
            found = found or sides[0]
        else:
            ways = expected["either"] if is_a(expected, "either") else [expected]
            either = [self.written(way, form) for way in ways]
            if found is None:  # a dtype, compared by its name
                return [self.dtype_named(sides[0], ways)]
        before: list[ast.stmt] = []
        if not _is_simple(found):
            before = [ast.Assign([ast.Name("found", ast.Store())], found)]
            found = ast.Name("found", ast.Load())
        return [*before, ast.Assert(self.test(expectation, found, either, numbers, form), found)]

    def careful(self, expectation: Expectation, side: ast.expr, numbers: Plain) -> bool:
        """Whether a comparison by Python's own == may say something else than the judge."""
        if expectation.relation not in ("equal", "different", "contains", "lacks"):
            return True
        if isinstance(numbers, str) or is_a(numbers, "dtype"):
            return expectation.pair
        if self.engine.scalar:
            return True
        if _holds_bool(numbers) and expectation.relation == "equal" and not expectation.pair:
            return False  # which is compared as text
        if isinstance(side, ast.Attribute) and side.attr == "shape" and not expectation.pair:
            return False
        return expectation.pair or confusable(numbers) or self.rounds(numbers)

    def raw(self, side: ast.expr, form: Plain) -> ast.expr:
        """The engine's side as `same` and `close` take it: a tensor is left as it is."""
        if self.mediated or self.engine.lacks("Tensor.tolist"):
            return self.read(side, form) or side
        return side

    def test(
        self,
        expectation: Expectation,
        found: ast.expr,
        ways: list[ast.expr],
        numbers: Plain,
        form: Plain,
    ) -> ast.expr:
        relation = expectation.relation
        operator = _COMPARISONS[relation]()
        if relation in ("contains", "lacks"):
            if isinstance(numbers, str):
                return ast.Compare(ways[0], [operator], [found])
            item = ast.Name("item", ast.Load())
            loop = ast.comprehension(ast.Name("item", ast.Store()), found, [], 0)
            among = ast.GeneratorExp(self.equal(item, ways[0], numbers, form), [loop])
            return _negated(_call("any", among), relation == "lacks")
        if relation not in ("equal", "different"):
            right = _call("number", ways[0]) if expectation.pair else ways[0]
            return ast.Compare(_call("number", found), [operator], [right])
        if _holds_bool(numbers) and relation == "equal" and not expectation.pair:
            shown = ast.Constant(ast.unparse(ways[0]))  # True == 1.0, but it is not the same
            return ast.Compare(_call("repr", found), [operator], [shown])
        self.shapes = self.shapes or expectation.pair
        if self.careful(expectation, found, numbers):
            tests = [self.equal(found, way, numbers, form) for way in ways]
            test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests)
            return _negated(test, relation == "different")
        if len(ways) > 1:
            among_ways = ast.In() if relation == "equal" else ast.NotIn()
            return ast.Compare(found, [among_ways], [ast.Tuple(ways, ast.Load())])
        return ast.Compare(found, [operator], ways)

    def equal(self, found: ast.expr, wanted: ast.expr, numbers: Plain, form: Plain) -> ast.expr:
        """close(found, wanted, ...), or same(found, wanted) where nothing is rounded."""
        self.shapes = self.shapes or may_be_empty(numbers)
        if self.rounds(numbers):
            return self.close(found, wanted, numbers, form)
        return ast.Call(ast.Name("same", ast.Load()), [found, wanted], [])

    def rounds(self, numbers: Plain) -> bool:
        """Whether the values may be off by rounding, or hold nan, so that == would be too strict."""
        flat = _flat(numbers)
        if any(isinstance(number, complex) or number != number for number in flat):
            return True
        floats = [number for number in flat if isinstance(number, float)]
        if not floats:
            return False
        plain = "operations" not in self.case.program.features and not self.engine.mediated
        whole = all((number * _EXACT_BITS) % 1 == 0 or number in _INFINITE for number in floats)
        return not (plain and whole and self.case.tolerance_factor == USUAL_TOLERANCE)

    def close(self, found: ast.expr, wanted: ast.expr, numbers: Plain, form: Plain) -> ast.expr:
        """close(found, wanted, rel=..., abs=...), as the judge compares"""
        dtypes = _dtypes(form) & EPSILON.keys() or {PLAIN_NUMBER}
        epsilon = max(EPSILON[name] for name in dtypes)
        finite = [abs(number) for number in _flat(numbers) if abs(number) < float("inf")]
        factor = self.case.tolerance_factor
        tolerances = {
            "rel": (factor + widened(factor)) * epsilon,
            "abs": widened(factor) * epsilon * max(finite, default=0.0),
        }
        keywords = [
            ast.keyword(name, ast.Constant(float(f"{value:.1e}")))
            for name, value in tolerances.items()
        ]
        return ast.Call(ast.Name("close", ast.Load()), [found, wanted], keywords)

    def read(self, side: ast.expr, form: Plain) -> ast.expr | None:
        """The engine's side as plain numbers, texts and lists; None for a dtype that the engine has
        no name for. `form` is what it is on the reference, or NotImplemented."""
        if isinstance(side, ast.Name) and side.id == "notes":
            return side
        if (
            form is None
            or isinstance(form, bool | int | float | str)
            or is_a(form, "object", "node")
        ):
            return side if not self.mediated else _call("numbers_of", side)
        if is_a(form, "dtype") and not self.mediated:
            return None if self.engine.lacks(form["dtype"]) else side
        sequence = form.get("tuple", form.get("list")) if isinstance(form, dict) else None
        if not self.mediated and not self.engine.lacks("Tensor.tolist"):
            if is_a(form, "tensor"):
                return ast.Call(ast.Attribute(side, "tolist", ast.Load()), [], [])
            if sequence and all(is_a(item, "tensor") for item in sequence):
                each = ast.Name("t", ast.Load())
                made = ast.Call(ast.Attribute(each, "tolist", ast.Load()), [], [])
                loop = ast.comprehension(ast.Name("t", ast.Store()), side, [], 0)
                return ast.ListComp(made, [loop])
        if sequence is not None and not _dtypes(form) and not self.mediated:
            return side
        return _call("numbers_of", side)

    def written(self, plain: Plain, form: Plain) -> ast.expr:
        """An expected value as Python source, with tuples where the engine has plain ones."""
        tuples = is_a(form, "tuple") and not _dtypes(form) and not self.mediated
        return self.source(plain, tuples)

    def source(self, plain: Plain, tuples: bool) -> ast.expr:
        if not isinstance(plain, dict):
            return ast.Constant(plain)
        ((kind, content),) = plain.items()
        if kind == "number":
            sign, name = ("-", content[1:]) if content.startswith("-") else ("", content)
            return ast.Name(f"{sign}math.{name}", ast.Load())
        if kind == "complex":
            return ast.Constant(complex(*map(float, content)))
        if kind == "dtype":
            if self.mediated or self.engine.lacks(content):
                return ast.Constant(content)
            return ast.Name(f"{self.engine.name}.{content}", ast.Load())
        if kind == "dict":
            pairs = [[self.source(part, tuples) for part in pair] for pair in content]
            return ast.Dict([key for key, _ in pairs], [value for _, value in pairs])
        items = [self.source(item, tuples) for item in content]
        as_tuple = kind == "tuple" and tuples
        return ast.Tuple(items, ast.Load()) if as_tuple else ast.List(items, ast.Load())

    def dtype_named(self, side: ast.expr, ways: list[Plain]) -> ast.stmt:
        """assert str(x.dtype).endswith("float64")"""
        ends: list[ast.expr] = [ast.Constant(way["dtype"]) for way in ways]
        wanted = ends[0] if len(ends) == 1 else ast.Tuple(ends, ast.Load())
        ending = ast.Attribute(_call("str", side), "endswith", ast.Load())
        return ast.Assert(ast.Call(ending, [wanted], []), side if _is_simple(side) else None)

    # --- blocks ---

    def attempt(self, node: ast.With, index: ast.expr, around: Position) -> Statements:
        """try: body; except Exception as error: print(...); else: raise AssertionError(...)"""
        expectation = self.expectation(index)
        must = expectation.relation == "refused"
        before = self.mark(expectation)
        body = self.inside(node.body)
        says = "raised, as it must be" if must else "raised, as it may be"
        told = ast.Constant(f"raised another error than: {self.meaning(expectation)}")
        caught: list[ast.stmt] = []
        if self.rules:
            caught = [ast.Assert(self.told("error", expectation), told)]
        within = [item.index for item in self.case.expectations if item.within == expectation.index]
        for inner in within if not must else ():
            caught += ast.parse(f"unreached.pop({inner}, None)").body
        caught += ast.parse(f"print(f'{says}: {{type(error).__name__}}: {{error}}')").body
        # What the block itself asserts must hold all the same.
        again = ast.ExceptHandler(
            ast.Name("AssertionError", ast.Load()), None, [ast.Raise(None, None)]
        )
        handlers = [ast.ExceptHandler(ast.Name("Exception", ast.Load()), "error", caught)]
        if _asserts(body):
            handlers.insert(0, again)
        otherwise: list[ast.stmt] = []
        if must:
            text = ast.Constant(f"did not raise: {self.meaning(expectation)}")
            otherwise = [ast.Raise(_call("AssertionError", text), None)]
        return [*before, ast.Try(body, handlers, otherwise, [])]

    def told(self, error: str, expectation: Expectation) -> ast.expr:
        """tells(error, (type, wording), ...)"""
        assert self.rules is not None
        own, lenient = self.rules
        lenient = lenient and expectation.relation != "warned"
        wanted = expectation.expected or ()
        if self.errors_carry_kinds and expectation.relation != "warned":
            rules = carried_rules(wanted)
        else:
            rules = rules_for(wanted, own, self.kinds, lenient)
        pairs: list[ast.expr] = [
            ast.Tuple([ast.Constant(name), ast.Constant(words)], ast.Load())
            for name, words in rules
        ]
        return ast.Call(
            ast.Name("tells", ast.Load()), [ast.parse(error, mode="eval").body, *pairs], []
        )

    def meaning(self, expectation: Expectation) -> str:
        """The expected error or warning, in words."""
        kinds = expectation.expected or ()
        told = [
            self.kinds[name].meaning.rstrip(".") if name in self.kinds else name for name in kinds
        ]
        return " or ".join(told)

    def record(self, node: ast.With, index: ast.expr, around: Position) -> Statements:
        """with warnings.catch_warnings(record=True) as caught: body; assert caught"""
        expectation = self.expectation(index)
        before = self.mark(expectation)
        opened = ast.parse("warnings.catch_warnings(record=True)", mode="eval").body
        every = ast.parse("warnings.simplefilter('always')").body
        block = ast.With(
            [ast.withitem(opened, ast.Name("caught", ast.Store()))],
            [*every, *self.statements(node.body)],
            None,
        )
        text = "assert not caught, [str(item.message) for item in caught]"
        check: ast.stmt = ast.parse(text).body[0]
        if expectation.relation == "warned":
            found: ast.expr = ast.Name("caught", ast.Load())
            if self.rules:
                loop = ast.comprehension(ast.Name("item", ast.Store()), found, [], 0)
                known = self.told("item.message", expectation)
                found = _call("any", ast.GeneratorExp(known, [loop]))
            check = ast.Assert(found, ast.Constant(f"no warning: {self.meaning(expectation)}"))
        return [*before, block, check]


def _asserts(body: list[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Assert | ast.Raise) for part in body for node in ast.walk(part))


def _negated(test: ast.expr, negative: bool) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test) if negative else test


_INFINITE = (float("inf"), float("-inf"))


def _call(name: str, argument: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])


def _is_simple(node: ast.expr) -> bool:
    """Whether reading an expression twice is the same as reading it once."""
    if isinstance(node, ast.Call):
        bare = isinstance(node.func, ast.Attribute) and node.func.attr in ("tolist", "item")
        known = isinstance(node.func, ast.Name) and node.func.id in (
            "numbers_of",
            "get_attribute",
            "str",
        )
        parts = [node.func.value] if isinstance(node.func, ast.Attribute) else node.args
        return (bare or known) and all(map(_is_simple, parts))
    if isinstance(node, ast.Attribute):
        return _is_simple(node.value)
    return isinstance(node, ast.Name | ast.Constant)


def is_a(value: Plain, *kinds: str) -> bool:
    return isinstance(value, dict) and any(kind in value for kind in kinds)


def _holds_bool(value: Plain) -> bool:
    """Whether a list, of lists maybe, holds booleans and nothing else."""
    if not is_a(value, "list"):
        return False
    return bool(value["list"]) and all(
        isinstance(item, bool) or _holds_bool(item) for item in value["list"]
    )


def _flat(value: Plain) -> list[float | int | complex]:
    """Every number in a plain value."""
    if is_a(value, "tensor"):
        content = value["tensor"]["values"]
        items = [{"complex": item} if isinstance(item, list) else item for item in content]
    elif is_a(value, "list", "tuple", "either"):
        items = [part for item in next(iter(value.values())) for part in _flat(item)]
    elif is_a(value, "dict"):
        items = [part for pair in value["dict"] for part in _flat(pair[1])]
    else:
        items = [value]
    numbers = [item if isinstance(item, complex) else number_of(item) for item in items]
    return [number for number in numbers if number is not None]


def _dtypes(form: Plain) -> set[str]:
    """The dtypes of the tensors in an observed value."""
    if is_a(form, "tensor"):
        return {form["tensor"]["dtype"]}
    if is_a(form, "list", "tuple", "pair"):
        return {name for item in next(iter(form.values())) for name in _dtypes(item)}
    if is_a(form, "dict"):
        return {name for _, item in form["dict"] for name in _dtypes(item)}
    return set()
